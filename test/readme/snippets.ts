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

/** The sections of the README by their headings. */
export const sections: ReadonlyMap<string, string> = new Map(
  readme.split(/^## /m).map((section) => [section.slice(0, section.indexOf('\n')).trim(), section]),
);

/** The TypeScript blocks of the README, in order. */
export const snippets: readonly Snippet[] = [...sections].flatMap(([heading, section]) =>
  Array.from(section.matchAll(/^```ts\n([\s\S]*?)^```/gm), ([, code = '']) => ({
    heading,
    code,
    shown: Array.from(code.matchAll(/\/\/ → (.*)$/gm), ([, line = '']) => line),
  })),
);
