import type { ChatModel, ChatModelEvent } from '../../chat/chat-model.ts';
import type { ChatRequest } from '../../chat/chat-request.ts';
import type { TapedError } from './taped-error.ts';

/** The version of the format that is written and read here. */
export const cassetteVersion = 1;

/** What an emission was, and when, in ms since its request. */
export type TapedEvent = { readonly at: number } & (
  | Exclude<ChatModelEvent, { readonly type: 'retry' }>
  | { readonly type: 'retry'; readonly attempt: number; readonly delay: number; readonly error: TapedError }
);

/** How an answer ended, and when. `unsubscribed`: the consumer left it. */
export type TapedEnd =
  | { readonly at: number; readonly how: 'complete' | 'unsubscribed' }
  | { readonly at: number; readonly how: 'error'; readonly error: TapedError };

/** One request and its answer. */
export interface CassetteExchange {
  /** Without secrets; of media there is only a mark. */
  readonly request: ChatRequest;
  /** The places, from 0, of earlier exchanges that were still running when this one began. */
  readonly beside?: readonly number[];
  readonly events: readonly TapedEvent[];
  readonly end: TapedEnd;
}

/** What went over a model's streams, as plain JSON. */
export interface Cassette extends Pick<ChatModel, 'provider' | 'modelName' | 'supports'> {
  readonly version: typeof cassetteVersion;
  /** When the first request went out, as an ISO 8601 date. */
  readonly recordedAt: string;
  /** In the order of their requests. */
  readonly exchanges: readonly CassetteExchange[];
}
