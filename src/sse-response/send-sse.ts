import { Subscription } from 'rxjs';
import { ConfigurationError } from '../chat/configuration-error.ts';
import { subscribeEarly } from '../chat/subscribe-early.ts';
import { toObservable } from '../chat/value.ts';
import { checkValues, type SseValues } from './check-values.ts';
import { sseChunks } from './sse-chunks.ts';
import { sseSettings, type SseOptions } from './sse-options.ts';
import { headersWith } from './sse-text.ts';

/** What is used of the `ServerResponse` of Node's http; Express and Fastify (`reply.raw`) have it, too. */
export interface NodeResponse {
  readonly writableLength: number;
  readonly destroyed: boolean;
  writeHead(status: number, headers: Record<string, string>): unknown;
  flushHeaders?(): unknown;
  write(text: string): unknown;
  end(): unknown;
  destroy(error?: Error): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/**
 * Sends a stream as the response of a Node server: each value an event of its JSON. A client that leaves unsubscribes. An error of the
 * stream, or to unsubscribe from what is returned, breaks the connection, since nothing else can be told any more.
 *
 * Throws a `ConfigurationError` on options that can't work, on values that are no stream, and on what is no response of Node.
 *
 * @example
 * createServer((request, response) => sendSse(assistant.stream('Hello').pipe(toAgUi()), response));
 */
export function sendSse(values: SseValues, response: NodeResponse, options: SseOptions = {}): Subscription {
  checkValues('sendSse', values);
  const settings = sseSettings('sendSse', options);
  checkResponse(response);
  // Who has left already, while the request was read, is not told of any more: nothing begins.
  if (response.destroyed) return Subscription.EMPTY;
  let isWhole = false;
  // Without an error of its own: nobody listens for it there.
  const running = new Subscription(() => isWhole || response.destroy());
  response.writeHead(settings.status, headersWith(settings.headers));
  response.once('close', () => running.unsubscribe());
  // The client learns that it is answered, however long the first event takes.
  response.flushHeaders?.();
  const observer = {
    next(text: string) {
      if (running.closed || response.destroyed) return;
      response.write(text);
      // A client that reads too slowly, or not at all.
      if (response.writableLength > settings.maxBuffered) running.unsubscribe();
    },
    error: () => running.unsubscribe(),
    complete() {
      if (running.closed) return;
      isWhole = true;
      response.end();
      running.unsubscribe();
    },
  };
  subscribeEarly(sseChunks(toObservable(values), settings), observer, (subscription) => running.add(subscription));
  return running;
}

function checkResponse(response: unknown): void {
  const used = ['writeHead', 'write', 'end', 'destroy', 'once'] as const;
  const has = Object(response) as Record<string, unknown>;
  if (used.every((name) => typeof has[name] === 'function')) return;
  throw new ConfigurationError(
    'sendSse, sendUiMessageStream: there must be a response of a Node server (node:http, Express, reply.raw of Fastify); ' +
      'a fetch-style server returns what toSseResponse or toUiMessageStreamResponse gives.',
  );
}
