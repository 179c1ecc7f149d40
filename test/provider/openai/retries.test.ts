import { describe, expect, it } from 'vitest';
import type { ChatModelEvent } from '../../../src/chat/chat-model.ts';
import { fakeServer, refusal, refusedConnection } from '../fake-server.ts';
import { asked, stream } from './answers.ts';
import { finish, text } from './turns.ts';

const hello = stream(text('Hello'), finish('stop'), '[DONE]');
const types = (events: readonly ChatModelEvent[]) => events.map(({ type }) => type);
const delays = (events: readonly ChatModelEvent[]) => events.flatMap((event) => (event.type === 'retry' ? [event.delay] : []));

describe('a request that fails', () => {
  it.each([
    [400, 'invalidRequest'],
    [401, 'authentication'],
    [403, 'permission'],
    [404, 'notFound'],
  ])('[G30] with status %i fails at once, with the words of the provider', async (status, kind) => {
    const server = fakeServer(refusal(status, 'These are the words'));
    const { values, error } = await asked(server.fetch);
    expect(server.requests).toHaveLength(1);
    expect(values).toEqual([]);
    const place = status === 404 ? ', asked for https://api.openai.com/v1/chat/completions' : '';
    expect(error).toMatchObject({
      message: `openai: These are the words (status ${status}${place})`,
      kind,
      status,
      retryable: false,
    });
  });

  it.each([408, 409, 429, 500, 502, 503, 504, 529])(
    '[G30] with status %i is sent again, with growing delays, up to the limit',
    async (status) => {
      const server = fakeServer(refusal(status, 'Not now'));
      const { values, error } = await asked(server.fetch, { maxRetries: 3 });
      expect(server.requests).toHaveLength(4);
      expect(types(values)).toEqual(['retry', 'retry', 'retry']);
      const [first, second, third] = delays(values) as [number, number, number];
      for (const [delay, longest] of [
        [first, 500],
        [second, 1000],
        [third, 2000],
      ] as const) {
        expect(delay).toBeGreaterThanOrEqual(longest * 0.75);
        expect(delay).toBeLessThanOrEqual(longest);
      }
      expect(error).toMatchObject({ message: `openai: Not now (status ${status})`, status, retryable: true });
    },
  );

  it('[G30] because the connection was refused is sent again', async () => {
    const server = fakeServer(refusedConnection, refusedConnection, hello);
    const { values, error } = await asked(server.fetch);
    expect(types(values)).toEqual(['retry', 'retry', 'partialResponse', 'completeResponse']);
    expect(error).toBeUndefined();
  });

  it('[G30] because the connection was refused says so when the retries are used up', async () => {
    const { error } = await asked(fakeServer(refusedConnection).fetch);
    expect(error).toMatchObject({
      message: expect.stringContaining(
        'openai: the request to https://api.openai.com/v1/chat/completions could not be sent: fetch failed (connect ECONNREFUSED 127.0.0.1:1)',
      ) as string,
      kind: 'network',
    });
  });

  it('[G29] by an overload in the first event is sent again, without a trace but the retry', async () => {
    const server = fakeServer(stream({ error: { type: 'overloaded_error', message: 'Overloaded' } }), hello);
    const { values, error } = await asked(server.fetch);
    expect(types(values)).toEqual(['retry', 'partialResponse', 'completeResponse']);
    expect(values[0]).toMatchObject({ attempt: 1, error: { message: 'openai: Overloaded (type overloaded_error)' } });
    expect(error).toBeUndefined();
  });

  it('after a piece of its answer went out is not sent again', async () => {
    const server = fakeServer(stream(text('Hel'), { error: { message: 'Overloaded', code: 503 } }), hello);
    const { values, error } = await asked(server.fetch);
    expect(types(values)).toEqual(['partialResponse']);
    expect(error).toMatchObject({ kind: 'overloaded' });
    expect(server.requests).toHaveLength(1);
  });

  it('sends the same body again', async () => {
    const server = fakeServer(refusal(500, 'Not now'), hello);
    await asked(server.fetch);
    expect(server.requests[1]!.body).toBe(server.requests[0]!.body);
  });

  it('asks for the key again before it is sent again', async () => {
    const server = fakeServer(refusal(500, 'Not now'), hello);
    let asks = 0;
    await asked(server.fetch, { apiKey: () => `key-${++asks}` });
    expect(server.requests.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer key-1', 'Bearer key-2']);
  });

  it('waits as long as Retry-After says', async () => {
    const { values } = await asked(fakeServer(refusal(429, 'Slow down', { 'retry-after': '7' }), hello).fetch);
    expect(delays(values)).toEqual([7000]);
  });

  it('fails at once where Retry-After is beyond 60 s, and says the number', async () => {
    const server = fakeServer(refusal(429, 'Slow down', { 'retry-after': '3600' }), hello);
    const { values, error } = await asked(server.fetch);
    expect(values).toEqual([]);
    expect((error as Error).message).toBe('openai: Slow down (status 429, retry after 3600 s, which is too long to wait here)');
    expect(server.requests).toHaveLength(1);
  });

  it('fails at once where the account is empty, though the status is 429', async () => {
    const server = fakeServer(
      refusal(429, 'You exceeded your current quota', {}, { type: 'insufficient_quota', code: 'insufficient_quota' }),
    );
    const { error } = await asked(server.fetch);
    expect(error).toMatchObject({ kind: 'rateLimit', retryable: false });
    expect(server.requests).toHaveLength(1);
  });
});
