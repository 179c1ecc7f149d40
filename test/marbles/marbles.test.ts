import { describe, it } from 'vitest';
import { checkSpec } from './check-spec.ts';
import { loadChapters } from './chapters.ts';

for (const { title, pages } of await loadChapters())
  describe(title, () => {
    for (const { spec } of pages) it(spec.title, () => checkSpec(spec));
  });
