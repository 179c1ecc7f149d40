import type { Subscribable } from 'rxjs';
import { toSseResponse } from '../sse-response/to-sse-response.ts';
import { onlyChunks } from './only-chunks.ts';
import { uiMessageSse, type UiMessageResponseOptions } from './ui-message-sse.ts';
import type { UiMessageChunk } from './ui-message-chunk.ts';

/**
 * Chunks as the response of a fetch-style server (Next.js, Hono, Bun, Deno, Cloudflare), as `DefaultChatTransport` reads it. Nothing runs before the
 * body is read; a client that leaves, or stops, unsubscribes.
 *
 * Throws a `ConfigurationError` on options that can't work.
 *
 * @example
 * toUiMessageStreamResponse(assistant.stream('Hello').pipe(toUiMessageStream()));
 */
export function toUiMessageStreamResponse(
  chunks: Subscribable<UiMessageChunk>,
  options: UiMessageResponseOptions = {},
): Response {
  return toSseResponse(onlyChunks('toUiMessageStreamResponse', chunks), uiMessageSse('toUiMessageStreamResponse', options));
}
