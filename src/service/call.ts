import type { Observable } from 'rxjs';
import type { ToolExecutionRequest, ToolExecutionResultMessage } from '../chat/message.ts';
import { unansweredResult } from '../memory/repair-history.ts';
import { isArgumentsError } from '../tool/tool-errors.ts';
import type { Tool, ToolExecution, ToolExecutionResult } from '../tool/types.ts';
import { shortenedContents } from './shortened-contents.ts';

/** How a call ended: always with a result, and where it failed with the errors behind it. */
export interface CallOutcome {
  readonly result: ToolExecutionResult;
  readonly error?: Error;
  readonly rawError?: unknown;
  readonly failure?: { readonly error: Error };
}

/** One call of a round. The round owns it and writes down here what became of it. */
export interface Call {
  /** With the id and the name that go into the history. */
  readonly request: ToolExecutionRequest;
  /** The name as the model wrote it, where that had to be mended to find the tool. */
  readonly requestedName: string | undefined;
  /** Absent: the model made it up. */
  readonly tool: Tool | undefined;
  /** Its outcome, where the tool is not to run. */
  instead: Observable<CallOutcome> | undefined;
  /** Whether a person or a limit has refused it, which is no error of a tool. */
  isRefused: boolean;
  hasStarted: boolean;
  /** What its tool has done and nobody has taken up yet, where that may have to be undone: those around the tool may fail the call all the same. */
  succeeded: ToolExecution | undefined;
  /** Its time limit or somebody has stopped it: it has its outcome, and the tool may go on all the same. */
  isStopped: boolean;
  /** Ends it with another outcome, while it runs. */
  stop: ((outcome$: Observable<CallOutcome>) => void) | undefined;
  execution: ToolExecution | undefined;
  /** Whether the run knows of the execution. */
  isGathered: boolean;
  /** What ends the invocation, when the call's handler said so. */
  failure: { readonly error: Error } | undefined;
  /** What the model is told once it was undone. */
  undone: ToolExecutionResultMessage | undefined;
}

export function newCall(request: ToolExecutionRequest, requestedName: string | undefined, tool: Tool | undefined): Call {
  return {
    request,
    requestedName,
    tool,
    instead: undefined,
    isRefused: false,
    hasStarted: false,
    succeeded: undefined,
    isStopped: false,
    stop: undefined,
    execution: undefined,
    isGathered: false,
    failure: undefined,
    undone: undefined,
  };
}

/** What the tool has done, for the one who is to undo it. */
export function takeSuccess(call: Call): ToolExecution | undefined {
  const { succeeded } = call;
  call.succeeded = undefined;
  return succeeded;
}

/** Whether the tool may have done something: not where there is none, nor where its arguments kept it from running. */
export function hasRun({ tool, hasStarted, execution }: Call): boolean {
  const isUnusable = execution !== undefined && isArgumentsError(execution.rawError) && !('arguments' in execution);
  return tool !== undefined && hasStarted && !isUnusable;
}

/** Whether what other tools did has to be undone on its account. */
export function hasFailed({ tool, isRefused, execution, failure }: Call): boolean {
  return failure !== undefined || (tool !== undefined && !isRefused && execution?.hasFailed === true);
}

/**
 * What the model and the memory are told of the call. A failure that ends the invocation is told by the neutral text; what a
 * tool has done is a fact, also where the hook behind it fails.
 */
export function resultMessage({ request, execution, failure, undone }: Call, maxLength?: number): ToolExecutionResultMessage {
  if (undone) return undone;
  if (!execution || (failure && execution.hasFailed)) return unansweredResult(request);
  const { resultContents, hasFailed: isError, attributes } = execution;
  const contents = shortenedContents(resultContents, maxLength);
  return { role: 'tool', id: request.id, toolName: request.name, contents, isError, ...(attributes && { attributes }) };
}
