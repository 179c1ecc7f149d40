import type { ToolExecutionRequest, ToolExecutionResultMessage } from '../chat/message.ts';
import { unansweredResult } from '../memory/repair-history.ts';
import { isArgumentsError } from '../tool/tool-errors.ts';
import type { Tool, ToolExecution } from '../tool/types.ts';

/** One call of a round. The round owns it and writes down here what became of it. */
export interface Call {
  /** With the id and the name that go into the history. */
  readonly request: ToolExecutionRequest;
  /** The name as the model wrote it, where that had to be mended to find the tool. */
  readonly requestedName: string | undefined;
  /** Absent: the model made it up. */
  readonly tool: Tool | undefined;
  hasStarted: boolean;
  execution: ToolExecution | undefined;
  /** What ends the invocation, when the call's handler said so. */
  failure: { readonly error: Error } | undefined;
}

/** Whether the tool may have done something: not where there is none, nor where its arguments kept it from running. */
export function hasRun({ tool, hasStarted, execution }: Call): boolean {
  const isRefused = execution !== undefined && isArgumentsError(execution.rawError) && !('arguments' in execution);
  return tool !== undefined && hasStarted && !isRefused;
}

/** What the model and the memory are told of the call. A failure that ends the invocation is told by the neutral text. */
export function resultMessage({ request, execution, failure }: Call): ToolExecutionResultMessage {
  if (!execution || failure) return unansweredResult(request);
  const { resultContents: contents, hasFailed: isError, attributes } = execution;
  return { role: 'tool', id: request.id, toolName: request.name, contents, isError, ...(attributes && { attributes }) };
}
