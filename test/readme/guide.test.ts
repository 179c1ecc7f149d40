import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { declared } from './run-now.ts';
import { snippetsIn } from './snippets.ts';
import { typeErrors } from './type-check.ts';

const guide = readFileSync(new URL('../../marbles/guide.md', import.meta.url), 'utf8');
const snippets = snippetsIn(guide);
const folder = fileURLToPath(new URL('./.guide/', import.meta.url));
const fileOf = (place: number) => `${folder}snippet-${place}.ts`;

/** The runner's `it` is in use here: the guide's own is run by hand. */
const runnable = (code: string) => code.replace("from 'vitest'", "from '../run-now.ts'");

describe('the guide to marble tests', () => {
  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
    snippets.forEach(({ code }, place) => writeFileSync(fileOf(place), `${runnable(code)}\nexport {};\n`));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('has code that compiles under strict settings', () => {
    expect(typeErrors(snippets.map((_, place) => fileOf(place)))).toEqual([]);
  }, 120_000);

  it.each(snippets.map(({ heading }, place) => ({ heading, place })))(
    'has tests that pass under "$heading"',
    async ({ place }) => {
      await import(/* @vite-ignore */ fileOf(place));
      const tests = declared();
      expect(tests.length).toBeGreaterThan(0);
      for (const [, test] of tests) await test();
    },
  );
});
