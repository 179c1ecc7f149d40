import { VirtualTimeScheduler } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { httpStream, type HttpExchange } from '../../src/provider/http-stream.ts';
import { fakeServer, fedBody, heedful, settled, type SentRequest } from './fake-server.ts';

interface Watched {
  readonly exchange: HttpExchange;
  readonly log: string[];
  readonly scheduler: VirtualTimeScheduler;
  readonly request: () => SentRequest;
  readonly leave: () => void;
}

const errors = {
  network: (cause: unknown) => new Error(`network: ${String(cause)}`),
  status: ({ status }: Response) => Promise.resolve(new Error(`status ${status}`)),
  interrupted: (cause: unknown) => new Error(`interrupted: ${String(cause)}`),
};

/** Sends a request and logs what comes. */
function watched(answer: (request: SentRequest) => Response | Promise<Response>, fetch?: typeof globalThis.fetch): Watched {
  const server = fakeServer(answer);
  const scheduler = new VirtualTimeScheduler();
  const exchange: HttpExchange = {
    url: 'http://x/y',
    headers: { a: 'b' },
    body: '{"q":1}',
    fetch: fetch ?? server.fetch,
    scheduler,
    errors,
  };
  const log: string[] = [];
  const decoder = new TextDecoder();
  const running = httpStream(exchange).subscribe({
    next: (bytes) => log.push(decoder.decode(bytes)),
    error: (error: unknown) => log.push(String(error)),
    complete: () => log.push('complete'),
  });
  return { exchange, log, scheduler, request: () => server.requests[0]!, leave: () => running.unsubscribe() };
}

describe('httpStream', () => {
  it('posts the body and emits the bytes of the answer as they come', async () => {
    const body = fedBody();
    const { log, request, exchange } = watched((sent) => heedful(body, sent));
    await settled();
    expect(request()).toMatchObject({ url: 'http://x/y', body: '{"q":1}' });
    expect(request().headers.get('a')).toBe('b');
    expect(exchange.response?.status).toBe(200);
    body.send('one');
    await settled();
    expect(log).toEqual(['one']);
    body.send('two');
    body.end();
    await settled();
    expect(log).toEqual(['one', 'two', 'complete']);
  });

  it('fails where the fetch of the user gives no response, and says so', async () => {
    const { log } = watched(
      () => new Response(''),
      () => Promise.resolve(undefined as never),
    );
    await settled();
    expect(log).toEqual(['ConfigurationError: the model: what fetch returned is undefined; it must be a Response.']);
  });

  it('sends nothing before it is subscribed to, and one request per subscription', async () => {
    const server = fakeServer(() => new Response('x'));
    const stream$ = httpStream({
      url: 'http://x',
      headers: {},
      body: '{}',
      fetch: server.fetch,
      scheduler: new VirtualTimeScheduler(),
      errors,
    });
    await settled();
    expect(server.requests).toHaveLength(0);
    stream$.subscribe();
    stream$.subscribe();
    await settled();
    expect(server.requests).toHaveLength(2);
  });

  it('[G23] aborts the request when the subscriber leaves before the headers', async () => {
    const { log, request, leave } = watched(
      ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    leave();
    await settled();
    expect(request().signal.aborted).toBe(true);
    expect(log).toEqual([]);
  });

  it('[G23] aborts the request when the subscriber leaves within the body, and emits nothing more', async () => {
    const body = fedBody();
    const { log, request, leave } = watched((sent) => heedful(body, sent));
    await settled();
    body.send('one');
    await settled();
    body.send('two');
    leave();
    expect(request().signal.aborted).toBe(true);
    await settled();
    expect(log).toEqual(['one']);
  });

  it('reads the rest of a body whose reader has all it wants, so that the socket can be used again', async () => {
    const body = fedBody();
    const { exchange, request, leave, scheduler } = watched((sent) => heedful(body, sent));
    await settled();
    exchange.isDone = true;
    leave();
    body.send('rest');
    body.end();
    await settled();
    scheduler.flush();
    expect(request().signal.aborted).toBe(false);
    expect(body.stream.locked).toBe(true);
  });

  it('aborts the request when the rest does not end within 50 ms', async () => {
    const body = fedBody();
    const { exchange, request, leave, scheduler, log } = watched((sent) => heedful(body, sent));
    await settled();
    exchange.isDone = true;
    leave();
    expect(request().signal.aborted).toBe(false);
    scheduler.flush();
    expect(scheduler.frame).toBe(50);
    expect(request().signal.aborted).toBe(true);
    await settled();
    expect(log).toEqual([]);
  });

  it('cancels the body of a fetch that does not listen to its signal', async () => {
    const body = fedBody();
    const { log, leave } = watched(() => new Response(body.stream));
    await settled();
    body.send('one');
    await settled();
    leave();
    await settled();
    expect(body.isCancelled).toBe(true);
    expect(log).toEqual(['one']);
  });

  it('cancels the body also when such a fetch answers after the subscriber has left', async () => {
    const body = fedBody();
    let answer!: (response: Response) => void;
    const { log, leave } = watched(() => new Promise((resolve) => (answer = resolve)));
    await settled();
    leave();
    answer(new Response(body.stream));
    await settled();
    expect(body.isCancelled).toBe(true);
    expect(log).toEqual([]);
  });

  it('makes a network error of a fetch that rejects or throws', async () => {
    const { log } = watched(() => Promise.reject(new TypeError('fetch failed')));
    const thrown = watched(
      () => new Response(),
      () => {
        throw new Error('no fetch here');
      },
    );
    await settled();
    expect(log).toEqual(['Error: network: TypeError: fetch failed']);
    expect(thrown.log).toEqual(['Error: network: Error: no fetch here']);
  });

  it('makes an error of a status that is none of success, and emits nothing of the body', async () => {
    const { log } = watched(() => new Response('no such model', { status: 404 }));
    await settled();
    expect(log).toEqual(['Error: status 404']);
  });

  it('makes an error of a body that breaks', async () => {
    const body = fedBody();
    const { log } = watched((sent) => heedful(body, sent));
    await settled();
    body.send('one');
    await settled();
    body.fail(new TypeError('terminated'));
    await settled();
    expect(log).toEqual(['one', 'Error: interrupted: TypeError: terminated']);
  });

  it('completes at once where there is no body', async () => {
    const { log } = watched(() => new Response(null, { status: 204 }));
    await settled();
    expect(log).toEqual(['complete']);
  });
});
