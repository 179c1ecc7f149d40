import type { ToolSpecification } from '../../../src/chat/tool-specification.ts';
import { fromValue } from '../../../src/chat/value.ts';
import type { ToolSearchRequest, ToolSearchResult, ToolSearchStrategy } from '../../../src/tool/search/tool-search-strategy.ts';
import { tool } from '../../../src/tool/tool.ts';
import { watch } from '../../chat/watch.ts';
import { contextFor } from '../call.ts';

export const spec = (name: string, description?: string): ToolSpecification => ({
  name,
  ...(description !== undefined && { description }),
  parameters: { type: 'object', properties: {} },
});

const caller = tool({ name: 'tool_search_tool', execute: () => undefined });

/** A search as a service would ask for it; text arguments are taken as the model's own JSON text. */
export function searchRequest(args: unknown, searchableTools: readonly ToolSpecification[]): ToolSearchRequest {
  const context = contextFor(caller, args);
  return { request: context.request, searchableTools, context };
}

/** Runs a search to its end, at once; throws what it errors with. */
export function searched(strategy: ToolSearchStrategy, args: unknown, tools: readonly ToolSpecification[]): ToolSearchResult {
  const { values, error, end } = watch(fromValue(() => strategy.search(searchRequest(args, tools))));
  if (end === 'error') throw error;
  if (end === undefined || values.length !== 1) throw new Error(`The search has ${values.length} results and ended with ${end}.`);
  return values[0]!;
}

/** The same for a search that takes time. */
export const searchedLater = (
  strategy: ToolSearchStrategy,
  args: unknown,
  tools: readonly ToolSpecification[],
): Promise<ToolSearchResult> =>
  new Promise((resolve, reject) =>
    fromValue(() => strategy.search(searchRequest(args, tools))).subscribe({ next: resolve, error: reject }),
  );

/** What a search that must fail errors with. */
export function searchFailure(strategy: ToolSearchStrategy, args: unknown, tools: readonly ToolSpecification[]): Error {
  const { values, error, end } = watch(fromValue(() => strategy.search(searchRequest(args, tools))));
  if (end !== 'error') throw new Error(`The search did not fail but emitted ${JSON.stringify(values)}.`);
  return error as Error;
}

/** The one search tool of a strategy, as the model sees it. */
export function searchToolOf(strategy: ToolSearchStrategy): ToolSpecification {
  const [only, ...more] = strategy.searchTools(contextFor(caller).invocation);
  if (!only || more.length > 0) throw new Error('The strategy has not one search tool.');
  return only;
}
