import { Subscription } from 'rxjs';
import { subscribeEarly } from '../chat/subscribe-early.ts';
import { toObservable } from '../chat/value.ts';
import { checkValues, type SseValues } from './check-values.ts';
import { sseChunks } from './sse-chunks.ts';
import { sseSettings, type SseOptions } from './sse-options.ts';
import { headersWith } from './sse-text.ts';

/**
 * A stream as the response of a fetch-style server (Hono, Next.js, Bun, Deno, Cloudflare): each value an event of its JSON. Nothing runs before the
 * body is read; a client that leaves unsubscribes. An error of the stream breaks the connection, since nothing else can be told any more.
 *
 * Throws a `ConfigurationError` on options that can't work, and on values that are no stream.
 *
 * @example
 * app.post('/chat', async (request) => toSseResponse(assistant.stream(await request.text()).pipe(toAgUi())));
 */
export function toSseResponse(values: SseValues, options: SseOptions = {}): Response {
  checkValues('toSseResponse', values);
  const settings = sseSettings('toSseResponse', options);
  const encoder = new TextEncoder();
  const running = new Subscription();
  let hasBegun = false;
  const begin = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const observer = {
      next(text: string) {
        if (running.closed) return;
        controller.enqueue(encoder.encode(text));
        if (-(controller.desiredSize ?? 0) <= settings.maxBuffered) return;
        running.unsubscribe();
        controller.error(tooSlow(settings.maxBuffered));
      },
      error(error: unknown) {
        if (!running.closed) controller.error(error);
      },
      complete() {
        if (!running.closed) controller.close();
      },
    };
    subscribeEarly(sseChunks(toObservable(values), settings), observer, (subscription) => running.add(subscription));
  };
  const source: UnderlyingDefaultSource<Uint8Array> = {
    pull(controller) {
      if (hasBegun) return;
      hasBegun = true;
      begin(controller);
    },
    cancel: () => running.unsubscribe(),
  };
  const body = new ReadableStream(source, new ByteLengthQueuingStrategy({ highWaterMark: 0 }));
  return new Response(body, { status: settings.status, headers: headersWith(settings.headers) });
}

function tooSlow(maxBuffered: number): Error {
  return new Error(`The client reads too slowly: more than ${maxBuffered} bytes wait for it.`);
}
