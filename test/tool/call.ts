import type { Observable } from 'rxjs';
import type { InvocationContext } from '../../src/tool/invocation-context.ts';
import type { ToolErrorContext } from '../../src/tool/tool-error-context.ts';
import type { Logger, Tool, ToolContext, ToolExecutionResult } from '../../src/tool/types.ts';
import { argumentsOf } from '../../src/tool/decoded-arguments.ts';
import { watch } from '../chat/watch.ts';

const userMessage = { role: 'user', contents: [{ type: 'text', text: 'hello' }] } as const;

const invocation: InvocationContext = {
  invocationId: 'i1',
  userMessage,
  originalUserMessage: userMessage,
  parameters: new Map(),
  timestamp: 0,
};

const argumentText = (args: unknown): string => (typeof args === 'string' ? args : JSON.stringify(args));

function requestFor(tool: Tool, args: unknown = {}) {
  return { id: 'c1', name: tool.specification.name, arguments: argumentText(args) };
}

/** A context as a service would make it. */
export function contextFor(tool: Tool, args: unknown = {}, progress: (value: unknown) => void = () => {}): ToolContext {
  return {
    request: requestFor(tool, args),
    invocation,
    parameters: invocation.parameters,
    signal: new AbortController().signal,
    progress,
  };
}

export function execution(
  tool: Tool,
  args: unknown = {},
  context: ToolContext = contextFor(tool, args),
): Observable<ToolExecutionResult> {
  return tool.execute(context.request, context);
}

/** Runs a call to its end, at once; throws what it errors with. Text arguments are taken as the model's own JSON text. */
export function executed(tool: Tool, args: unknown = {}): ToolExecutionResult {
  const { values, error, end } = watch(execution(tool, args));
  if (end === 'error') throw error;
  if (end === undefined || values.length !== 1) throw new Error(`The call has ${values.length} results and ended with ${end}.`);
  return values[0]!;
}

/** What the tool was given, and whether it had to be mended first. */
export function decoded(tool: Tool, args: unknown): { readonly value: unknown; readonly repaired: boolean } {
  const context = contextFor(tool, args);
  const { error, end } = watch(execution(tool, args, context));
  if (end === 'error') throw error;
  return argumentsOf(context)!;
}

/** What a call that must fail errors with. */
export function failureOf(tool: Tool, args: unknown = {}): Error {
  const { values, error, end } = watch(execution(tool, args));
  if (end !== 'error') throw new Error(`The call did not fail but emitted ${JSON.stringify(values)}.`);
  return error as Error;
}

/** The one text of a result. */
export function textIn({ contents }: ToolExecutionResult): string {
  const [content, ...more] = contents;
  if (content?.type !== 'text' || more.length > 0) throw new Error(`No single text: ${JSON.stringify(contents)}`);
  return content.text;
}

export function errorContext(rawError: unknown, logger: Logger = { warn() {}, error() {}, debug() {} }): ToolErrorContext {
  return { rawError, request: { id: 'c1', name: 'x', arguments: '{}' }, invocation, parameters: invocation.parameters, logger };
}
