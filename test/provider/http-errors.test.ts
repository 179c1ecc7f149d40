import { describe, expect, it, vi } from 'vitest';
import type { ChatModelError } from '../../src/chat/chat-model-error.ts';
import { httpErrors } from '../../src/provider/http-errors.ts';
import { fedBody, settled } from './fake-server.ts';

const now = Date.parse('2026-01-01T00:00:00Z');
const errors = httpErrors(
  'acme',
  'https://api.acme.test/v1/chat?key=sk-query',
  () => now,
  (text) => text.replaceAll('sk-secret', '[redacted]'),
);

const statusError = (body: string, init: ResponseInit) => errors.status(new Response(body, init)) as Promise<ChatModelError>;

describe('the error of an HTTP status', () => {
  it('holds the words of the provider, its facts and the id of the request', async () => {
    const body = JSON.stringify({ error: { message: 'No such model', type: 'invalid_request_error', code: 'model_not_found' } });
    const error = await statusError(body, { status: 404, headers: { 'x-request-id': 'req_7' } });
    expect(error).toMatchObject({
      message:
        'acme: No such model (status 404, type invalid_request_error, code model_not_found, request req_7, asked for https://api.acme.test/v1/chat)',
      kind: 'notFound',
      provider: 'acme',
      status: 404,
      requestId: 'req_7',
      retryable: false,
    });
  });

  it.each([
    ['text', 'upstream  is\n down', 'acme: upstream is down (status 500)'],
    ['HTML', '<html><body>Bad Gateway</body></html>', 'acme: <html><body>Bad Gateway</body></html> (status 500)'],
    ['JSON without words', '{"ok":false}', 'acme: {"ok":false} (status 500)'],
    ['half a JSON', '{"error":{"mess', 'acme: {"error":{"mess (status 500)'],
  ])('shows a body that is %s', async (_, body, message) => {
    expect((await statusError(body, { status: 500 })).message).toBe(message);
  });

  it('waits neither for the end of a body that has said all, nor for its stream to let go', async () => {
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"error":{"message":"no such model"}}')),
      cancel: () => new Promise(() => undefined),
    });
    const error = (await errors.status(new Response(body, { status: 400 }))) as ChatModelError;
    expect(error).toMatchObject({ kind: 'invalidRequest', status: 400, retryable: false });
    expect(error.message).toContain('no such model');
  });

  it('says something also of an empty body', async () => {
    expect((await statusError('', { status: 503, statusText: 'Service Unavailable' })).message).toBe(
      'acme: Service Unavailable (status 503)',
    );
    expect((await statusError('', { status: 503 })).message).toBe('acme: no reason was given (status 503)');
  });

  it('shortens a long page', async () => {
    const { message } = await statusError('x'.repeat(5000), { status: 500 });
    expect(message).toBe(`acme: ${'x'.repeat(300)}… (status 500)`);
  });

  it('takes secrets out that the server quotes', async () => {
    expect((await statusError('{"error":{"message":"Wrong key sk-secret"}}', { status: 401 })).message).toBe(
      'acme: Wrong key [redacted] (status 401)',
    );
  });

  it('reads only the beginning of a body without end, and closes it', async () => {
    const body = fedBody();
    const error = errors.status(new Response(body.stream, { status: 500 }));
    for (let i = 0; i < 10; i++) body.send('x'.repeat(10_000));
    expect((await error).message).toBe(`acme: ${'x'.repeat(300)}… (status 500)`);
    expect(body.isCancelled).toBe(true);
  });

  it('makes do with what came of a body that broke', async () => {
    const body = fedBody();
    const error = errors.status(new Response(body.stream, { status: 500 }));
    body.send('half of it');
    await settled();
    body.fail(new Error('reset'));
    expect((await error).message).toBe('acme: half of it (status 500)');
  });
});

describe('Retry-After', () => {
  it.each([
    ['seconds', { 'retry-after': '2' }, 2000],
    ['parts of a second', { 'retry-after': '0.5' }, 500],
    ['a date', { 'retry-after': 'Thu, 01 Jan 2026 00:00:07 GMT' }, 7000],
    ['a date that has passed', { 'retry-after': 'Wed, 31 Dec 2025 23:59:00 GMT' }, 0],
    ['milliseconds, which count first', { 'retry-after-ms': '1500', 'retry-after': '2' }, 1500],
    ['0', { 'retry-after': '0' }, 0],
    ['nothing', {}, undefined],
    ['nonsense', { 'retry-after': 'soon' }, undefined],
  ] as const)('is read as %s', async (_, headers, retryAfter) => {
    expect((await statusError('{}', { status: 429, headers })).retryAfter).toBe(retryAfter);
  });
});

describe('the error of a connection', () => {
  it('says why, which Node tells one level down', () => {
    const cause = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') });
    expect(errors.network(cause)).toMatchObject({
      // In a page there is a hint behind it.
      message: expect.stringContaining(
        'acme: the request to https://api.acme.test/v1/chat could not be sent: fetch failed (connect ECONNREFUSED 127.0.0.1:1)',
      ) as string,
      kind: 'network',
      retryable: true,
    });
  });

  it('tells a body that broke from a request that was not sent', () => {
    expect(errors.interrupted(new TypeError('terminated'))).toMatchObject({
      message: 'acme: the connection was lost while the answer was read: terminated',
      kind: 'interrupted',
      retryable: true,
    });
  });

  it('hints at CORS in a page, which is told no more', () => {
    if (typeof document === 'undefined') vi.stubGlobal('document', {});
    const { message } = errors.network(new TypeError('Failed to fetch'));
    vi.unstubAllGlobals();
    expect(message).toMatch(/Failed to fetch \(is it there, and does it allow this page by its CORS headers\?\)$/);
  });

  it.each([undefined, null, 'boom', {}])('has words also for what is no Error: %j', (cause) => {
    expect(errors.network(cause).message).toMatch(/^acme: the request to \S+ could not be sent: ./);
  });

  it('shows no secret', () => {
    expect(errors.network(new Error('bad header sk-secret')).message).not.toContain('sk-secret');
    expect(errors.interrupted(new Error('x', { cause: new Error('sk-secret') })).message).not.toContain('sk-secret');
  });
});
