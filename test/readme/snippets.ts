import { readFileSync } from 'node:fs';

/** One block of code in the README. */
export interface Snippet {
  /** The heading that it stands under. */
  readonly heading: string;
  readonly code: string;
}

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The TypeScript blocks of the README, in order. */
export const snippets: readonly Snippet[] = readme.split(/^## /m).flatMap((section) => {
  const heading = section.slice(0, section.indexOf('\n')).trim();
  return [...section.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code]) => ({ heading, code: code! }));
});
