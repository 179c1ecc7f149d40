import { recordTimeline, renderSvg } from '../../src/timeline/index.ts';
import type { Chapter, Page } from './chapters.ts';
import { drawable } from './drawable.ts';
import { introduction } from './introduction.ts';
import { notesOf, type Note } from './notes.ts';
import { playSpec } from './play-spec.ts';
import { linesOf } from './read-diagram.ts';
import type { Spec } from './spec.ts';

/** The files of the gallery by their names: the page, and a picture for each spec. The same in every run. */
export function galleryOf(chapters: readonly Chapter[]): ReadonlyMap<string, string> {
  const pages = chapters.flatMap((chapter) => chapter.pages);
  return new Map([
    ['README.md', pageOf(chapters)],
    ...pages.map(({ name, spec }): [string, string] => [`${name}.svg`, `${drawn(spec)}\n`]),
  ]);
}

function drawn(spec: Spec): string {
  const recorder = recordTimeline();
  playSpec(drawable(spec), recorder);
  return renderSvg(recorder.timeline(), { title: spec.title, theme: 'auto' });
}

function pageOf(chapters: readonly Chapter[]): string {
  const contents = chapters.map(({ title, pages }) => {
    const links = pages.map(({ name, spec }) => `[${spec.title}](#${name})`);
    return `- **${title}**: ${links.join(' · ')}`;
  });
  const told = chapters.map(({ title, pages }) => [`## ${title}`, ...pages.map(entryOf)].join('\n\n'));
  return [introduction, contents.join('\n'), ...told].join('\n\n') + '\n';
}

function entryOf({ name, spec }: Page): string {
  return [
    `<a id="${name}"></a>`,
    `### ${spec.title}`,
    `${spec.sentence} ([${name}.ts](${name}.ts))`,
    `![${spec.title}](${name}.svg)`,
    ['```text', ...linesOf(spec.diagram), ...notesBelow(notesOf(spec), linesOf(spec.diagram)), '```'].join('\n'),
  ].join('\n\n');
}

/** In the columns of the diagram. */
function notesBelow(notes: readonly Note[], diagram: readonly string[]): readonly string[] {
  const width = Math.max(diagram[0]!.indexOf('0'), ...notes.map(({ label }) => label.length + 3));
  const draw = ({ label, lines }: Note) => lines.map((line, place) => (place === 0 ? label : '').padEnd(width) + line);
  const groups = [true, false].map((isLegend) => notes.filter(({ label }) => (label !== 'memory') === isLegend));
  return groups.flatMap((group) => (group.length > 0 ? ['', ...group.flatMap(draw)] : []));
}
