import { once } from 'node:events';
import { createServer, request as httpRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  BehaviorSubject,
  NEVER,
  Observable,
  Subject,
  concat,
  filter,
  firstValueFrom,
  of,
  range,
  throwError,
  type Subscription,
} from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import { sendSse } from '../../src/sse-response/send-sse.ts';
import type { SseOptions } from '../../src/sse-response/sse-options.ts';

const closers: (() => void)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

async function serving(answer: (response: ServerResponse) => unknown): Promise<string> {
  const server = createServer((_, response) => void answer(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => (server.closeAllConnections(), server.close()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const sending = (values: Observable<unknown>, options?: SseOptions) => serving((response) => sendSse(values, response, options));

function watched(source: Observable<unknown>) {
  const subscribed$ = new BehaviorSubject<boolean | undefined>(undefined);
  const watched$ = new Observable<unknown>((subscriber) => {
    subscribed$.next(true);
    subscriber.add(() => subscribed$.next(false));
    return source.subscribe(subscriber);
  });
  const left = () => firstValueFrom(subscribed$.pipe(filter((isSubscribed) => isSubscribed === false)), { defaultValue: false });
  return { watched$, subscribed$, left };
}

describe('a stream as the response of a Node server', () => {
  it('has its events as text, with status and headers', async () => {
    const response = await fetch(await sending(of(1, 'b'), { status: 202, headers: { 'X-Mine': '1' }, lastData: '[DONE]' }));
    expect(response.status).toBe(202);
    expect(Object.fromEntries(response.headers)).toMatchObject({ 'content-type': 'text/event-stream', 'x-mine': '1' });
    expect(await response.text()).toBe('data: 1\n\ndata: "b"\n\ndata: [DONE]\n\n');
  });

  it('is answered before the first event, and then event by event', async () => {
    const values = new Subject<number>();
    const reader = (await fetch(await sending(values))).body!.getReader();
    for (const value of [1, 2]) {
      values.next(value);
      expect(new TextDecoder().decode((await reader.read()).value)).toBe(`data: ${value}\n\n`);
    }
    values.complete();
    expect((await reader.read()).done).toBe(true);
  });

  it('unsubscribes when the client leaves', async () => {
    const { watched$, left } = watched(concat(of(1), NEVER));
    const controller = new AbortController();
    const response = await fetch(await sending(watched$), { signal: controller.signal });
    await response.body!.getReader().read();
    controller.abort();
    await left();
  });

  it('does not begin for a client that has left already', async () => {
    const { watched$, subscribed$ } = watched(of(1));
    const handled = new Subject<Subscription>();
    const url = await serving((response) => {
      response.once('close', () => handled.next(sendSse(watched$, response)));
      request.destroy();
    });
    const sent = firstValueFrom(handled, { defaultValue: undefined });
    const request = httpRequest(url).on('error', () => undefined);
    request.end();
    expect((await sent)!.closed).toBe(true);
    expect(subscribed$.value).toBeUndefined();
  });

  it('breaks the connection where the stream breaks, and where it is unsubscribed from', async () => {
    const broken = await fetch(
      await sending(
        concat(
          of(1),
          throwError(() => new Error('secret')),
        ),
      ),
    );
    await expect(broken.text()).rejects.toThrow('terminated');
    let running: Subscription | undefined;
    const left = await fetch(await serving((response) => (running = sendSse(concat(of(1), NEVER), response))));
    running!.unsubscribe();
    await expect(left.text()).rejects.toThrow('terminated');
  });

  it('gives up a client that reads too slowly, also with an endless synchronous source', async () => {
    const { watched$, left } = watched(range(0, Infinity));
    const response = await fetch(await sending(watched$, { maxBuffered: 100_000 }));
    await left();
    await expect(response.text()).rejects.toThrow('terminated');
  });

  it('refuses options that can not work before it writes', () => {
    expect(() => sendSse(of(1), {} as never, { status: 304 })).toThrow('sendSse: status is 304');
  });
});
