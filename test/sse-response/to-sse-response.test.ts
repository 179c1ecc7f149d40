import process from 'node:process';
import { BehaviorSubject, NEVER, Observable, concat, filter, firstValueFrom, of, range, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { sendSse, type NodeResponse } from '../../src/sse-response/send-sse.ts';
import { toSseResponse } from '../../src/sse-response/to-sse-response.ts';

const unused = () => expect.unreachable();
const nobody: NodeResponse = {
  writableLength: 0,
  destroyed: false,
  writeHead: unused,
  write: unused,
  end: unused,
  destroy: unused,
  once: unused,
};

/** A source that tells whether somebody is subscribed. */
function watched(source: Observable<unknown>) {
  const subscribed$ = new BehaviorSubject(false);
  const watched$ = new Observable<unknown>((subscriber) => {
    subscribed$.next(true);
    subscriber.add(() => subscribed$.next(false));
    return source.subscribe(subscriber);
  });
  const left = () => firstValueFrom(subscribed$.pipe(filter((isSubscribed) => !isSubscribed)), { defaultValue: false });
  return { watched$, isSubscribed: () => subscribed$.value, left };
}

describe('a stream as a Response', () => {
  it('has its events as text, with status and headers', async () => {
    const response = toSseResponse(of({ a: 1 }, 'b'), {
      status: 202,
      headers: { 'Content-Type': 'text/plain' },
      lastData: '[DONE]',
    });
    expect(response.status).toBe(202);
    expect(response.headers.get('content-type')).toBe('text/plain');
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(await response.text()).toBe('data: {"a":1}\n\ndata: "b"\n\ndata: [DONE]\n\n');
  });

  it('does not begin before its body is read', async () => {
    const { watched$, isSubscribed, left } = watched(concat(of(1), NEVER));
    const response = toSseResponse(watched$);
    await Promise.resolve();
    expect(isSubscribed()).toBe(false);
    const reader = response.body!.getReader();
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value)).toBe('data: 1\n\n');
    expect(isSubscribed()).toBe(true);
    await reader.cancel();
    await left();
  });

  it('never begins when it is given up before', async () => {
    const { watched$, isSubscribed } = watched(of(1));
    await toSseResponse(watched$).body!.cancel();
    expect(isSubscribed()).toBe(false);
  });

  it('breaks where the stream breaks', async () => {
    const response = toSseResponse(throwError(() => new Error('broken')));
    await expect(response.body!.getReader().read()).rejects.toThrow('broken');
  });

  it('gives up a client that reads too slowly, also with an endless synchronous source', async () => {
    const { watched$, isSubscribed } = watched(range(0, Infinity));
    const reader = toSseResponse(watched$, { maxBuffered: 100 }).body!.getReader();
    const read = async () => {
      for (let place = 0; place < 1000; place++) await reader.read();
    };
    await expect(read()).rejects.toThrow('The client reads too slowly: more than 100 bytes wait for it.');
    expect(isSubscribed()).toBe(false);
  });

  it('refuses options that can not work, and shows no header', () => {
    expect(() => toSseResponse(of(1), { statuscode: 1 } as never)).toThrow('toSseResponse: unknown option statuscode');
    expect(() => toSseResponse(of(1), { status: 204 })).toThrow('status is 204');
    expect(() => toSseResponse(of(1), { status: 700 })).toThrow('status is 700');
    expect(() => toSseResponse(of(1), { heartbeat: 0 })).toThrow('heartbeat is 0');
    expect(() => toSseResponse(of(1), { maxBuffered: 0 })).toThrow('maxBuffered is 0');
    expect(() => toSseResponse(of(1), { lastData: 7 as never })).toThrow('lastData is 7');
    const headers = { authorization: ['secret'] } as never;
    expect(() => toSseResponse(of(1), { headers })).toThrow(
      /^(?!.*secret)toSseResponse: headers is an object with authorization/,
    );
  });

  it('hears a promise that nobody reads', async () => {
    const unheard: unknown[] = [];
    const listen = (reason: unknown) => void unheard.push(reason);
    process.on('unhandledRejection', listen);
    toSseResponse(Promise.reject(new Error('unread')));
    await toSseResponse(Promise.reject(new Error('cancelled'))).body!.cancel();
    const sent = sendSse(Promise.reject(new Error('left')), { ...nobody, destroyed: true });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', listen);
    expect([unheard, sent.closed]).toEqual([[], true]);
  });

  it('refuses what is no stream, and a response of another kind, and names what there is for it', () => {
    expect(() => toSseResponse([1] as never)).toThrow('toSseResponse: the values are to be an Observable');
    expect(() => toSseResponse(undefined as never)).toThrow('not undefined');
    expect(() => sendSse(null as never, nobody)).toThrow('sendSse: the values are to be an Observable');
    for (const response of [undefined, null, {}, new Response()])
      expect(() => sendSse(of(1), response as never)).toThrow('toSseResponse or toUiMessageStreamResponse');
  });
});
