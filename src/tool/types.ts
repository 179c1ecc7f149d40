import type { MonoTypeOperatorFunction, Observable } from 'rxjs';
import type { Content } from '../chat/content.ts';
import type { ToolExecutionRequest } from '../chat/message.ts';
import type { ToolSpecification } from '../chat/tool-specification.ts';
import type { Value } from '../chat/value.ts';
import type { InvocationContext, InvocationParameters } from './invocation-context.ts';

export type Logger = Pick<Console, 'warn' | 'error' | 'debug'>;

/** What a tool answers to one call. */
export interface ToolExecutionResult {
  readonly contents: readonly Content[];
  readonly isError: boolean;
  /** What the tool returned, before it became text. */
  readonly value?: unknown;
  /** Kept in the history for the application; never sent to the model. */
  readonly attributes?: Readonly<Record<string, unknown>>;
}

/** What a tool is told about its call. */
export interface ToolContext {
  readonly request: ToolExecutionRequest;
  readonly invocation: InvocationContext;
  readonly memoryId?: unknown;
  readonly parameters: InvocationParameters;
  /** Aborted when the call is unsubscribed from before it has ended: cancel, timeout, retry. */
  readonly signal: AbortSignal;
  /** Tells the subscriber, not the model, how far the tool has come. */
  progress(value: unknown): void;
}

/** What follows a call: the model goes on, or the invocation ends with the results (`immediateIfLast`: if it is the last call). */
export type ReturnBehavior = 'toLlm' | 'immediate' | 'immediateIfLast';

/** Whether a tool search may hide the tool until it is found. */
export type SearchBehavior = 'searchable' | 'alwaysVisible';

/** Within one invocation, first come first served: beside any other call, one call of this tool at a time, or alone. */
export type ExecutionOrder = 'parallel' | 'sequential' | 'exclusive';

/** Why an execution was undone. */
export type CompensationReason = 'toolError' | 'cancelled' | 'modelError' | 'limit' | 'guardrail' | 'memory';

/** How a service treats a tool's calls. All of it may be absent. */
export interface ToolTraits {
  readonly returnBehavior?: ReturnBehavior;
  readonly searchBehavior?: SearchBehavior;
  /** Whether somebody must agree before the tool runs; throws a `ToolArgumentsError` on arguments that can't be used. */
  readonly needsApproval?: boolean | ((request: ToolExecutionRequest, context: ToolContext) => Value<boolean>);
  readonly execution?: ExecutionOrder;
  /** Undoes what a successful execution has done. `execution.compensated` says why. */
  readonly compensate?: (execution: ToolExecution, context: ToolContext) => Value<unknown>;
  /** Unsubscribed from while it runs, the tool itself undoes what it has done by then: it need not be left to settle. */
  readonly undoesItself?: boolean;
}

/** Something that the model can call. */
export interface Tool extends ToolTraits {
  readonly specification: ToolSpecification;
  /** Cold: each subscription runs the tool once, emits one result and completes. */
  execute(request: ToolExecutionRequest, context: ToolContext): Observable<ToolExecutionResult>;
  /** A new tool whose execution is piped. Arguments are decoded outside, so that `retry` never repeats an argument error. */
  pipe(...operators: MonoTypeOperatorFunction<ToolExecutionResult>[]): Tool;
}

/** Runs a call whose arguments are left unparsed. */
export type ToolExecutor = (request: ToolExecutionRequest, context: ToolContext) => Value<ToolExecutionResult>;

/** One call that has ended, well or not. */
export interface ToolExecution<A = unknown, R = unknown> {
  readonly request: ToolExecutionRequest;
  /** As the tool got them: validated, with defaults. Absent when they could not be used. */
  readonly arguments?: A;
  /** The text of the result; after a failure the text of the error. */
  readonly result: string;
  readonly resultContents: readonly Content[];
  readonly resultObject?: R;
  readonly hasFailed: boolean;
  readonly error?: Error;
  /** The error as it was thrown, our own wrapper round it included. */
  readonly rawError?: unknown;
  /** Whether the arguments were mended before the tool got them. */
  readonly repaired?: boolean;
  readonly attributes?: Readonly<Record<string, unknown>>;
  /** Why it was undone, where it was. */
  readonly compensated?: CompensationReason;
  /** ms since 1970, by the service's scheduler. */
  readonly startTime: number;
  readonly finishTime: number;
  /** ms. */
  readonly duration: number;
}

/** Wraps every execution of every tool of a service. Calling `next` runs the tool; its Observable is cold. */
export type ToolInterceptor = (
  request: ToolExecutionRequest,
  context: ToolContext,
  next: () => Observable<ToolExecutionResult>,
) => Observable<ToolExecutionResult>;
