import { contents } from '../../marbles/contents.ts';
import type { Spec } from './spec.ts';

export interface Chapter {
  readonly title: string;
  readonly pages: readonly Page[];
}

/** A spec with the name of its file. */
export interface Page {
  readonly name: string;
  readonly spec: Spec;
}

/** All specs, in the order of the table of contents. */
export async function loadChapters(): Promise<readonly Chapter[]> {
  return Promise.all(
    contents.map(async ({ title, pages }) => ({
      title,
      pages: await Promise.all(
        pages.map(async (name) => {
          const page = (await import(`../../marbles/${name}.ts`)) as { readonly default: Spec };
          return { name, spec: page.default };
        }),
      ),
    })),
  );
}
