import { EMPTY, catchError, lastValueFrom, toArray } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChatModelEvent } from '../../src/chat/chat-model.ts';
import type { ChatRequest } from '../../src/chat/chat-request.ts';
import { ChatModelError } from '../../src/chat/chat-model-error.ts';
import { cassetteModel } from '../../src/testing/cassette/cassette-model.ts';
import { answering, hostileWires, modelOf, type HostileWire } from './hostile-wires.ts';

const question: ChatRequest = { messages: [{ role: 'user', contents: [{ type: 'text', text: 'x' }] }] };
const now = new Date('2026-06-01T00:00:00Z');
beforeEach(() => void vi.useFakeTimers({ now, toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] }));
afterEach(() => {
  // First, as long as there is what they were spied on: another file's would put a timer back that never rings.
  vi.restoreAllMocks();
  vi.useRealTimers();
});

interface Asked {
  readonly requests: number;
  readonly retries: readonly Extract<ChatModelEvent, { type: 'retry' }>[];
  readonly error: Error | undefined;
}

/** Asks once, while the server is busy and says when to come back; all time that anybody waits for passes at once. */
async function asked(
  wire: HostileWire,
  headers: Readonly<Record<string, string>>,
  body: object = { error: { message: 'busy' } },
): Promise<Asked> {
  let requests = 0;
  let error: Error | undefined;
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const fetch = () => {
    requests++;
    return Promise.resolve(new Response(JSON.stringify(body), { status: 429, headers }));
  };
  const events$ = modelOf(wire, { fetch, maxRetries: 1 })
    .chat(question)
    .pipe(
      catchError((thrown: unknown) => {
        error = thrown as Error;
        return EMPTY;
      }),
      toArray(),
    );
  const events = lastValueFrom(events$, { defaultValue: [] });
  await vi.runAllTimersAsync();
  // A platform's timer that is set for longer rings at once.
  for (const [, delay = 0] of timers.mock.calls) expect(delay).toBeLessThanOrEqual(0x7fffffff);
  const retries = (await events).flatMap((event) => (event.type === 'retry' ? [event] : []));
  return { requests, retries, error };
}

const tooLong = [
  ['a trillion seconds', { 'retry-after': '1000000000000' }],
  ['more than numbers can tell', { 'retry-after': '1e400' }],
  ['infinity', { 'retry-after': 'Infinity' }],
  ['25 days, at which timers overflow', { 'retry-after': '2147484' }],
  ['one second more than is waited for', { 'retry-after': '61' }],
  ['the year 9999', { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }],
  ['milliseconds beyond a timer', { 'retry-after-ms': '2147483648' }],
] as const;

const noTime = [
  ['-1', { 'retry-after': '-1' }],
  ['-Infinity', { 'retry-after': '-Infinity' }],
  ['NaN', { 'retry-after': 'NaN' }],
  ['soon', { 'retry-after': 'soon' }],
  ['1 2 3', { 'retry-after': '1 2 3' }],
  ['-2147483648', { 'retry-after': '-2147483648' }],
  ['the last day there is', { 'retry-after': '+275760-09-13T00:00:00.000Z' }],
  ['0 apples', { 'retry-after': '0 apples' }],
  ['ms below 0', { 'retry-after-ms': '-1' }],
  ['no ms', { 'retry-after-ms': '' }],
] as const;

describe.each(hostileWires)('a server of $provider that is busy', (wire) => {
  it.each(tooLong)('and says to come back in %s is not asked again: the error says when it may be', async (_, headers) => {
    const { requests, retries, error } = await asked(wire, headers);
    expect({ requests, retries }).toEqual({ requests: 1, retries: [] });
    expect(error).toBeInstanceOf(ChatModelError);
    expect(error).toMatchObject({ kind: 'rateLimit', retryable: false });
    expect(error?.message).toMatch(/retry after \S+ s, which is too long to wait here/);
  });

  it.each(noTime)(
    'and says to come back at no time that there is (%s) is asked again after a pause of our own',
    async (_, headers) => {
      const { requests, retries } = await asked(wire, headers);
      expect(requests).toBe(2);
      expect(retries).toHaveLength(1);
      expect(retries[0]!.delay).toBeGreaterThanOrEqual(375);
      expect(retries[0]!.delay).toBeLessThanOrEqual(500);
    },
  );

  it('and says it in its own words is held to the same', async () => {
    for (const retryDelay of ['1e400s', '99999999999s', 1e300, '61s']) {
      const { requests, error } = await asked(wire, {}, { error: { message: 'busy', details: [{ retryDelay }] } });
      expect(requests).toBe(1);
      expect(error).toMatchObject({ retryable: false });
    }
    for (const retryDelay of ['-5s', 'soon', null, {}, [], true, '__proto__']) {
      const { retries } = await asked(wire, {}, { error: { message: 'busy', details: [null, { retryDelay }] } });
      expect(retries[0]!.delay).toBeGreaterThanOrEqual(375);
    }
  });
});

it('a retry on a tape may be as long as it likes: a replay sets no timer that overflows', async () => {
  const error = { name: 'ChatModelError', message: 'busy', kind: 'rateLimit', provider: 'p', retryable: true, retryAfter: 1e300 };
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const model = cassetteModel({
    version: 1,
    provider: 'p',
    recordedAt: now.toISOString(),
    exchanges: [
      {
        request: { messages: [] },
        events: [{ at: 1e15, type: 'retry', attempt: 1, delay: 1e300, error }],
        end: { at: 2e15, how: 'complete' },
      },
    ],
  } as never);
  const events = lastValueFrom(model.chat({ messages: [] }).pipe(toArray()), { defaultValue: [] });
  events.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(1000);
  for (const [, delay = 0] of timers.mock.calls) expect(delay).toBeLessThanOrEqual(0x7fffffff);
});

it('a wire that answers is not slowed down by any of it', async () => {
  for (const wire of hostileWires) {
    const fetch: typeof globalThis.fetch = async (url, init) => {
      const response = await answering(wire, [...wire.text('hello'), ...wire.end()])(url, init);
      return new Response(response.body, { headers: { 'retry-after': '1e300' } });
    };
    const events = await lastValueFrom(modelOf(wire, { fetch }).chat(question).pipe(toArray()), { defaultValue: [] });
    expect(events.at(-1)).toMatchObject({ type: 'completeResponse' });
  }
});
