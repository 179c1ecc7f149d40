import { readFileSync } from 'node:fs';

/** One block of code in the README. */
export interface Snippet {
  /** The heading that it stands under. */
  readonly heading: string;
  readonly code: string;
  /** What it says that it prints, line by line; empty where it does not say. */
  readonly shown: readonly string[];
}

export const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The sections of a page by their headings. */
const sectionsOf = (page: string): ReadonlyMap<string, string> =>
  new Map(page.split(/^## /m).map((section) => [section.slice(0, section.indexOf('\n')).trim(), section]));

/** The TypeScript blocks of a page, in order. */
export const snippetsIn = (page: string): readonly Snippet[] =>
  [...sectionsOf(page)].flatMap(([heading, section]) =>
    Array.from(section.matchAll(/^```ts\n([\s\S]*?)^```/gm), ([, code = '']) => ({
      heading,
      code,
      shown: Array.from(code.matchAll(/\/\/ → (.*)$/gm), ([, line = '']) => line),
    })),
  );

export const sections = sectionsOf(readme);

export const snippets = snippetsIn(readme);
