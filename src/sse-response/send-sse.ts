import { Subscription } from 'rxjs';
import { subscribeEarly } from '../chat/subscribe-early.ts';
import { toObservable, type Value } from '../chat/value.ts';
import { sseChunks } from './sse-chunks.ts';
import { sseSettings, type SseOptions } from './sse-options.ts';
import { sseHeaders } from './sse-text.ts';

/** What is used of the `ServerResponse` of Node's http; Express and Fastify (`reply.raw`) have it, too. */
export interface NodeResponse {
  readonly writableLength: number;
  writeHead(status: number, headers: Record<string, string>): unknown;
  write(text: string): unknown;
  end(): unknown;
  destroy(error?: Error): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/**
 * Sends a stream as the response of a Node server: each value an event of its JSON. A client that leaves unsubscribes. An error of the
 * stream, or to unsubscribe from what is returned, breaks the connection, since nothing else can be told any more.
 *
 * Throws a `ConfigurationError` on options that can't work.
 *
 * @example
 * createServer((request, response) => sendSse(assistant.stream('Hello').pipe(toAgUi()), response));
 */
export function sendSse(values: Value<unknown>, response: NodeResponse, options: SseOptions = {}): Subscription {
  const settings = sseSettings('sendSse', options);
  let isWhole = false;
  // Without an error of its own: nobody listens for it there.
  const running = new Subscription(() => isWhole || response.destroy());
  response.once('close', () => running.unsubscribe());
  response.writeHead(settings.status, { ...sseHeaders, ...settings.headers });
  const observer = {
    next(text: string) {
      if (running.closed) return;
      response.write(text);
      // A client that reads too slowly, or not at all.
      if (response.writableLength > settings.maxBuffered) running.unsubscribe();
    },
    error: () => running.unsubscribe(),
    complete() {
      isWhole = true;
      response.end();
    },
  };
  subscribeEarly(sseChunks(toObservable(values), settings), observer, (subscription) => running.add(subscription));
  return running;
}
