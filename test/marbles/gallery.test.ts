import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { recordTimeline } from '../../src/timeline/index.ts';
import { loadChapters } from './chapters.ts';
import { galleryOf } from './gallery.ts';
import { outdatedFiles } from './outdated-files.ts';
import { playSpec } from './play-spec.ts';
import { linesOf } from './read-diagram.ts';

const folder = fileURLToPath(new URL('../../marbles/', import.meta.url));
const chapters = await loadChapters();

describe('the gallery', () => {
  it('is up to date: what is drawn is what was tested', () => {
    expect(outdatedFiles(folder, galleryOf(chapters)), 'run: npm run marbles').toEqual([]);
  });

  it('is the same in every run', () => {
    expect(galleryOf(chapters)).toEqual(galleryOf(chapters));
  });

  it('is drawn of invocations that go as they go when nobody watches', () => {
    const specs = chapters.flatMap(({ pages }) => pages.map(({ spec }) => spec));
    for (const spec of specs) expect(playSpec(spec, recordTimeline()).diagram).toEqual(linesOf(spec.diagram));
  });

  it('has every spec once', () => {
    const specs = readdirSync(folder).filter((name) => name.endsWith('.ts') && name !== 'contents.ts');
    const shown = chapters.flatMap(({ pages }) => pages.map(({ name }) => `${name}.ts`));
    expect([...shown].sort()).toEqual(specs.sort());
  });
});
