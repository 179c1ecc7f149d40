import type { Observable } from 'rxjs';
import type { ChatRequest } from './chat-request.ts';
import type { ChatResponse } from './chat-response.ts';
import type { ToolExecutionRequest } from './message.ts';

/** What a model emits while it answers. `index` is the call's place in the turn, counted from 0. */
export type ChatModelEvent =
  | { readonly type: 'partialThinking'; readonly text: string }
  | { readonly type: 'partialResponse'; readonly text: string }
  | {
      readonly type: 'partialToolCall';
      readonly index: number;
      readonly id: string;
      readonly name: string;
      readonly partialArguments: string;
    }
  | {
      readonly type: 'completeToolCall';
      readonly index: number;
      readonly request: ToolExecutionRequest;
      /** The turn's signatures so far, for a history that ends with this call. */
      readonly attributes?: Readonly<Record<string, unknown>>;
    }
  /** The request failed before anything was emitted and is sent again after `delay` ms. */
  | { readonly type: 'retry'; readonly attempt: number; readonly delay: number; readonly error: Error }
  /** An item of the provider's stream that has no place among the others. */
  | { readonly type: 'raw'; readonly event: unknown }
  /** Exactly one, last: behind it the stream completes. */
  | { readonly type: 'completeResponse'; readonly response: ChatResponse };

/**
 * A model: a function from a request to a stream.
 *
 * `chat` is cold: each subscription sends the request anew, and unsubscribing aborts it.
 *
 *     -partialResponse-partialResponse-(completeResponse|)
 */
export interface ChatModel {
  readonly provider: string;
  readonly modelName?: string;
  readonly supports?: { readonly jsonSchema?: boolean };
  chat(request: ChatRequest): Observable<ChatModelEvent>;
}
