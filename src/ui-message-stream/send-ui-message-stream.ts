import type { Subscribable, Subscription } from 'rxjs';
import { sendSse, type NodeResponse } from '../sse-response/send-sse.ts';
import { onlyChunks } from './only-chunks.ts';
import { uiMessageSse, type UiMessageResponseOptions } from './ui-message-sse.ts';
import type { UiMessageChunk } from './ui-message-chunk.ts';

/**
 * Sends chunks as the response of a Node server, as `DefaultChatTransport` reads it. A client that leaves, or stops, unsubscribes; to unsubscribe from
 * what is returned breaks the connection.
 *
 * Throws a `ConfigurationError` on options that can't work.
 *
 * @example
 * createServer((request, response) => sendUiMessageStream(assistant.stream('Hello').pipe(toUiMessageStream()), response));
 */
export function sendUiMessageStream(
  chunks: Subscribable<UiMessageChunk>,
  response: NodeResponse,
  options: UiMessageResponseOptions = {},
): Subscription {
  return sendSse(onlyChunks('sendUiMessageStream', chunks), response, uiMessageSse('sendUiMessageStream', options));
}
