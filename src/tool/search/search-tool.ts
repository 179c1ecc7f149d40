import type { ToolExecutionRequest } from '../../chat/message.ts';
import { checkCount, checkFlag, checkText } from '../../chat/option-checks.ts';
import type { JsonSchema, ToolSpecification } from '../../chat/tool-specification.ts';
import type { CheckedArguments } from '../check-arguments.ts';
import { parseArguments } from '../parse-arguments.ts';
import { ToolArgumentsError, isArgumentsError, messageOf } from '../tool-errors.ts';
import { toolSchema } from '../tool-schema.ts';
import { toolErrorVisibleToLlm } from '../visible-to-llm.ts';

/** What all ready-made strategies take. */
export interface SearchToolOptions {
  /** What the search tool is called: `tool_search_tool` by default. */
  readonly toolName?: string | undefined;
  /** What the model is told about the search tool. */
  readonly description?: string | undefined;
  /** How many tools one search may find: 5 by default. */
  readonly maxResults?: number | undefined;
  /**
   * Arguments that can't be used are a `ToolArgumentsError`, for the service's `toolArgumentsErrorHandler`. By default they
   * are an error that is visible to the LLM, so that it can search again in every mode.
   */
  readonly throwArgumentsError?: boolean | undefined;
}

export const searchToolOptions: readonly (keyof SearchToolOptions)[] = [
  'toolName',
  'description',
  'maxResults',
  'throwArgumentsError',
];

/** A tool with one argument, by which the model searches. */
export interface SearchTool<A> {
  /** The same array for every invocation, so that a model can keep what it made of it. */
  readonly specifications: readonly ToolSpecification[];
  readonly maxResults: number;
  /** Throws on what is no such argument, as `throwArgumentsError` says. */
  argumentOf(request: ToolExecutionRequest): A;
}

/** Throws a `ConfigurationError` on options that can't work. */
export function searchTool<A>(
  where: string,
  options: SearchToolOptions,
  defaultDescription: string,
  argument: { readonly name: string; readonly schema: JsonSchema },
): SearchTool<A> {
  const {
    toolName = 'tool_search_tool',
    description = defaultDescription,
    maxResults = 5,
    throwArgumentsError = false,
  } = options;
  checkText(where, 'toolName', toolName);
  checkText(where, 'description', description);
  checkCount(where, 'maxResults', maxResults, 1);
  checkFlag(where, 'throwArgumentsError', throwArgumentsError);
  const { name, schema } = argument;
  const { parameters, check } = toolSchema(toolName, { type: 'object', properties: { [name]: schema }, required: [name] });
  const read = (request: ToolExecutionRequest): unknown => {
    // Schemas made of JSON have nothing asynchronous in them.
    const { value } = check(parseArguments(toolName, request.arguments).value) as CheckedArguments;
    const found = (value as Record<string, unknown>)[name];
    if (typeof found === 'string' && !found.trim())
      throw new ToolArgumentsError(`The argument ${name} of ${toolName} is blank. Say in it what you look for.`);
    return found;
  };
  return {
    specifications: [{ name: toolName, description, parameters }],
    maxResults,
    argumentOf(request) {
      try {
        return read(request) as A;
      } catch (error) {
        if (throwArgumentsError || !isArgumentsError(error)) throw error;
        throw toolErrorVisibleToLlm(messageOf(error), { cause: error });
      }
    },
  };
}
