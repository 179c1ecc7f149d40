import type { ChatModelEvent } from '../chat/chat-model.ts';
import type { Content } from '../chat/content.ts';
import type { ChatResponse } from '../chat/chat-response.ts';
import type { ToolExecutionRequest } from '../chat/message.ts';
import type { InvocationContext } from '../tool/invocation-context.ts';
import type { CompensationReason, ToolExecution } from '../tool/types.ts';

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
  /** What retrieval found for the user's message, before anything else and only if it found something. */
  (
    | { readonly type: 'retrievedContents'; readonly contents: readonly Content[] }
    | PassedThrough
    /** The model has finished writing this call; the tool starts right away, unless concurrency says wait. */
    | { readonly type: 'completeToolCall'; readonly index: number; readonly request: ToolExecutionRequest }
    /** Somebody must agree before the tool runs: `approveToolExecution`, or whoever calls `decideToolCall`. */
    | {
        readonly type: 'toolApprovalRequested';
        readonly request: ToolExecutionRequest;
        /** Set where the application has been asked itself: nobody else need answer, though they may. */
        readonly answeredBy?: 'approveToolExecution';
      }
    | { readonly type: 'beforeToolExecution'; readonly request: ToolExecutionRequest }
    | { readonly type: 'toolProgress'; readonly request: ToolExecutionRequest; readonly value: unknown }
    | { readonly type: 'afterToolExecution'; readonly execution: ToolExecution }
    /** A round with tool calls has ended its answer. A marker, no barrier: tools may have run before it. */
    | { readonly type: 'intermediateResponse'; readonly response: ChatResponse }
    /** The answer was cut at its limit while a call of it waits for an approval: nothing more comes of this round until somebody decides. */
    | { readonly type: 'answerCut'; readonly response: ChatResponse }
    /** What a tool had done was undone, or with an `error` could not be. Not told on a cancel: nobody listens any more. */
    | {
        readonly type: 'toolCompensated';
        readonly execution: ToolExecution;
        readonly reason: CompensationReason;
        readonly error?: Error;
      }
    /** Drop what this round has streamed: it broke and is asked for again, or its time was up and the next one answers. */
    | { readonly type: 'roundRestarted'; readonly error: Error }
    /** The answer, with the token usage of all rounds; `content` is the object, where the service has an `output`. */
    | { readonly type: 'finalResponse'; readonly response: ChatResponse; readonly content?: unknown }
  );
