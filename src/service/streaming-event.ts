import type { ChatModelEvent } from '../chat/chat-model.ts';
import type { ChatResponse } from '../chat/chat-response.ts';
import type { ToolExecutionRequest } from '../chat/message.ts';
import type { InvocationContext } from '../tool/invocation-context.ts';
import type { ToolExecution } from '../tool/types.ts';

interface Origin {
  readonly invocation: InvocationContext;
  /** Which model request this belongs to, counted from 1. */
  readonly round: number;
}

/** What the model emits, as it is. */
type PassedThrough = Extract<
  ChatModelEvent,
  { type: 'partialThinking' | 'partialResponse' | 'partialToolCall' | 'retry' | 'raw' }
>;

/**
 * What `service.stream(…)` emits. The set is open: ignore what you do not know.
 *
 * Each call's events come in order, those of different calls as they happen; `finalResponse` comes once, last.
 */
export type AiServiceStreamingEvent = Origin &
  (
    | PassedThrough
    /** The model has finished writing this call; the tool starts right away, unless concurrency says wait. */
    | { readonly type: 'completeToolCall'; readonly index: number; readonly request: ToolExecutionRequest }
    | { readonly type: 'beforeToolExecution'; readonly request: ToolExecutionRequest }
    | { readonly type: 'toolProgress'; readonly request: ToolExecutionRequest; readonly value: unknown }
    | { readonly type: 'afterToolExecution'; readonly execution: ToolExecution }
    /** A round with tool calls has ended its answer. A marker, no barrier: tools may have run before it. */
    | { readonly type: 'intermediateResponse'; readonly response: ChatResponse }
    /** The answer, with the token usage of all rounds. */
    | { readonly type: 'finalResponse'; readonly response: ChatResponse }
  );
