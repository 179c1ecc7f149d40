import { Observable, type SchedulerLike, type Subscription } from 'rxjs';
import { invalidOption } from '../chat/option-checks.ts';
import type { HttpHeaders } from './http-headers.ts';

/** One request as it goes out, and what came back before the body. */
export interface HttpExchange {
  readonly url: string;
  readonly headers: HttpHeaders;
  readonly body: string;
  readonly fetch: typeof fetch;
  readonly scheduler: SchedulerLike;
  /** Makes an error of a request that could not be sent, of a status that is none of success, and of a body that broke. */
  readonly errors: HttpErrors;
  response?: Response;
  /** Set by the reader when it has all it wants: the rest of the body is read to its end, if that comes soon. */
  isDone?: boolean;
}

export interface HttpErrors {
  network(cause: unknown): Error;
  status(response: Response): Promise<Error>;
  interrupted(cause: unknown): Error;
}

/** ms that a server has to end its body after the last event: a body that was read to its end leaves a socket to be used again. */
const drainTime = 50;

/**
 * Sends the request and emits the bytes of the body. Unsubscribing aborts the request, at any point.
 *
 *     fetch   ----response
 *     body        -b-b-b|
 *     result  -----b-b-b|
 */
export function httpStream(exchange: HttpExchange): Observable<Uint8Array> {
  return new Observable((subscriber) => {
    const controller = new AbortController();
    let draining: Subscription | undefined;
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
    const abort = () => {
      controller.abort();
      // For a fetch that does not listen to its signal.
      reader?.cancel().catch(() => undefined);
    };
    const stop = () => {
      if (exchange.isDone) draining = exchange.scheduler.schedule(abort, drainTime);
      else abort();
    };
    const read = async (): Promise<void> => {
      const response = await send(exchange, controller.signal);
      if (typeof (response as Partial<Response> | undefined)?.ok !== 'boolean')
        throw invalidOption('the model', 'what fetch returned', response, 'it must be a Response');
      exchange.response = response;
      if (controller.signal.aborted) return void response.body?.cancel().catch(() => undefined);
      if (!response.ok) throw await exchange.errors.status(response);
      if (!response.body) return;
      reader = response.body.getReader();
      try {
        for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) subscriber.next(chunk.value);
      } catch (cause) {
        throw exchange.errors.interrupted(cause);
      }
    };
    subscriber.add(stop);
    read()
      .then(
        () => subscriber.complete(),
        (error: unknown) => subscriber.error(error),
      )
      .finally(() => draining?.unsubscribe());
  });
}

async function send({ url, headers, body, fetch, errors }: HttpExchange, signal: AbortSignal): Promise<Response> {
  try {
    // A redirect would carry the caller's headers, keys among them, to another place.
    return await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' });
  } catch (cause) {
    throw errors.network(cause);
  }
}
