import { map } from 'rxjs';
import { checkText, invalidOption } from '../chat/option-checks.ts';
import type { ToolSpecification } from '../chat/tool-specification.ts';
import { fromValue } from '../chat/value.ts';
import { executorTool } from '../tool/executor-tool.ts';
import type { ToolSearchResult, ToolSearchStrategy } from '../tool/search/tool-search-strategy.ts';
import { textResult } from '../tool/tool-result.ts';
import type { Tool, ToolExecutionResult } from '../tool/types.ts';
import { foundToolsAttribute } from './found-tools.ts';
import type { Run } from './run.ts';

/** The tools by which the model searches for the others. What they find is told with the result, and stays visible. */
export function searchToolsOf({ invocation, tools }: Run, strategy: ToolSearchStrategy): readonly Tool[] {
  return checkedTools(strategy.searchTools(invocation)).map((specification) =>
    executorTool(specification, (request, context) => {
      const searchableTools = tools.searchable();
      return fromValue(() => strategy.search({ request, searchableTools, context })).pipe(
        map((result): ToolExecutionResult => {
          const names = checkedNames(result, searchableTools);
          tools.show(names);
          return { ...textResult(result.text ?? told(names), false), attributes: foundToolsAttribute(names) };
        }),
      );
    }),
  );
}

function checkedTools(specifications: unknown): readonly ToolSpecification[] {
  const what = 'what toolSearchStrategy.searchTools returned';
  if (!Array.isArray(specifications))
    throw invalidOption('aiService', what, specifications, 'it must be an array of tool specifications');
  specifications.forEach((specification: Partial<ToolSpecification> | null | undefined, place) =>
    checkText('aiService', `${what}, at [${place}].name,`, specification?.name),
  );
  return specifications as readonly ToolSpecification[];
}

const search = 'toolSearchStrategy.search';

function told(names: readonly string[]): string {
  return names.length === 0 ? 'No tools were found.' : `These tools can be called now: ${names.join(', ')}.`;
}

function checkedNames(result: ToolSearchResult, searchable: readonly ToolSpecification[]): readonly string[] {
  const { names, text }: { names?: unknown; text?: unknown } = result ?? {};
  if (!Array.isArray(names) || (text !== undefined && typeof text !== 'string'))
    throw invalidOption('aiService', `what ${search} returned`, result, 'it must be { names, text? } with an array of names');
  const unknown = (names as readonly unknown[]).find((found) => !searchable.some(({ name }) => name === found));
  if (unknown === undefined) return names as readonly string[];
  throw invalidOption('aiService', `what ${search} found`, unknown, 'it may find the names of searchable tools alone');
}
