import { catchError, defer, map } from 'rxjs';
import { checkKnownOptions } from '../../chat/option-checks.ts';
import { selectTools, toolSelectionOptions, type ToolSelectionOptions } from '../decision/select-tools.ts';
import { ToolExecutionError, messageOf } from '../tool-errors.ts';
import { found } from './found.ts';
import { queryTool } from './query-tool.ts';
import { searchToolOptions, type SearchToolOptions } from './search-tool.ts';
import type { ToolSearchStrategy } from './tool-search-strategy.ts';

export interface DecisionToolSearchOptions extends SearchToolOptions, ToolSelectionOptions {
  /** How many tools one search may find: 5 by default. */
  readonly maxResults?: number | undefined;
}

/**
 * Finds tools by asking a decision model of each whether it would help with what the model looks for.
 *
 * Throws a `ConfigurationError` on options that can't work. A search errors with a `ToolExecutionError` when the decision
 * model fails.
 *
 * @example
 * const toolSearchStrategy = decisionToolSearch({ decisionModel: chatDecisionModel({ model: smallModel }), minProbability: 0.7 });
 */
export function decisionToolSearch(options: DecisionToolSearchOptions): ToolSearchStrategy {
  const where = 'decisionToolSearch';
  checkKnownOptions(where, options, [...searchToolOptions, ...toolSelectionOptions]);
  const { specifications, maxResults, argumentOf } = queryTool(where, options);
  const select = selectTools(where, { ...options, maxResults });
  const selected = (query: string, tools: Parameters<typeof select>[1]) =>
    select(query, tools).pipe(
      catchError((thrown: unknown) => {
        throw new ToolExecutionError(`The decision model failed: ${messageOf(thrown)}`, { cause: thrown });
      }),
    );
  return {
    searchTools: () => specifications,
    search: ({ request, searchableTools }) => defer(() => selected(argumentOf(request), searchableTools)).pipe(map(found)),
  };
}
