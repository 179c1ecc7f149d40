import { checkCount, checkKnownOptions } from '../../chat/option-checks.ts';
import { bestOf } from './best-of.ts';
import { found } from './found.ts';
import { keywordScore, wordsOf } from './keyword-score.ts';
import { searchTool, searchToolOptions, type SearchToolOptions } from './search-tool.ts';
import type { ToolSearchStrategy } from './tool-search-strategy.ts';

export interface KeywordToolSearchOptions extends SearchToolOptions {
  /** The least score of a tool that is found: 1 by default. */
  readonly minScore?: number | undefined;
}

/**
 * Finds tools by words in their names and descriptions. A word scores 2 in a name and 1 in a description, wherever in it and
 * in upper or lower case; the tools with the highest sums are found.
 *
 * Throws a `ConfigurationError` on options that can't work.
 *
 * @example
 * aiService({ model, tools: manyTools, toolSearchStrategy: keywordToolSearch({ maxResults: 3 }) });
 */
export function keywordToolSearch(options: KeywordToolSearchOptions = {}): ToolSearchStrategy {
  const where = 'keywordToolSearch';
  checkKnownOptions(where, options, [...searchToolOptions, 'minScore']);
  const { minScore = 1 } = options;
  checkCount(where, 'minScore', minScore, 0);
  const { specifications, maxResults, argumentOf } = searchTool<readonly string[]>(
    where,
    options,
    'Finds further tools that you can call, by words in their names and descriptions.',
    {
      name: 'terms',
      schema: {
        type: 'array',
        items: { type: 'string' },
        description: 'The words to look for, single ones rather than phrases.',
      },
    },
  );
  return {
    searchTools: () => specifications,
    search({ request, searchableTools }) {
      const words = wordsOf(argumentOf(request));
      const best = bestOf(searchableTools, (tool) => keywordScore(words, tool), { least: minScore, max: maxResults });
      return found(best.map(({ name }) => name));
    },
  };
}
