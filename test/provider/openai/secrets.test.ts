import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openAiChat } from '../../../src/provider/openai/open-ai-chat.ts';
import type { ProviderOptions } from '../../../src/provider/provider-options.ts';
import { lastOf } from '../last-of.ts';
import { fakeServer, refusal, refusedConnection, type FakeAnswer, type SentRequest } from '../fake-server.ts';
import { asked, request, stream } from './answers.ts';
import { text } from './turns.ts';

const key = 'sk-live-51Hx9';
const options: Partial<ProviderOptions> = {
  apiKey: key,
  headers: { 'x-proxy-token': 'pt-7731', cookie: 'session=c00kie' },
  maxRetries: 1,
};
const secrets = [key, 'pt-7731', 'c00kie'];

/** All that an error shows: message, stack, fields, causes. */
const shown = (error: unknown) => `${inspect(error, { depth: 20, showHidden: true })}${JSON.stringify(error)}${String(error)}`;

const quoting = ({ headers }: SentRequest) => `You sent ${JSON.stringify([...headers])}`;

/** Servers that quote what they were sent, in all the places where a quote can stand. */
const servers: readonly (readonly [string, FakeAnswer])[] = [
  ['a refusal in JSON', (request) => refusal(401, quoting(request), {}, { type: quoting(request), code: quoting(request) })()],
  ['a refusal in text', (request) => new Response(quoting(request), { status: 400 })],
  ['a failure that is sent again', (request) => refusal(500, quoting(request))()],
  [
    'a page with status 200',
    (request) => new Response(`<html>${quoting(request)}</html>`, { headers: { 'content-type': 'text/html' } }),
  ],
  ['an error in the first event', (request) => stream({ error: { message: quoting(request) } })()],
  ['an error after some text', (request) => stream(text('x'), { error: { message: quoting(request), code: key, type: key } })()],
  ['an event that is no JSON', (request) => stream(quoting(request), text('x'))()],
  [
    'an error of the connection',
    (request) => Promise.reject(new TypeError('fetch failed', { cause: new Error(quoting(request)) })),
  ],
];

describe('a key', () => {
  it.each(servers)('is never shown by an error, though the server quotes it: %s', async (_, server) => {
    const { values, error } = await asked(fakeServer(server).fetch, options);
    expect(error).toMatchObject({ name: 'ChatModelError' });
    for (const secret of secrets) {
      expect(shown(error)).not.toContain(secret);
      expect(shown(values)).not.toContain(secret);
    }
  });

  it('is never shown by the error of a connection that fails', async () => {
    const { error } = await asked(fakeServer(refusedConnection).fetch, options);
    expect(shown(error)).not.toContain(key);
  });

  it('is no part of the model: not as JSON, nor when it is logged', () => {
    const model = openAiChat({ modelName: 'm', ...options });
    for (const secret of secrets) {
      expect(JSON.stringify(model)).not.toContain(secret);
      expect(inspect(model, { depth: 20, showHidden: true })).not.toContain(secret);
    }
  });

  it('with a line break fails the request before it is sent, and is not shown', async () => {
    const server = fakeServer(() => new Response());
    const { error } = await asked(server.fetch, { ...options, apiKey: `${key}\nx-evil: 1` });
    expect(server.requests).toEqual([]);
    expect(error).toMatchObject({ name: 'ChatModelError', kind: 'invalidRequest', retryable: false });
    expect(shown(error)).not.toContain(key);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('the vault is closed');
      },
    ],
    ['rejects', () => Promise.reject(new Error('the vault is closed'))],
  ])('whose function %s fails the request with an error of authentication, at once', async (_, apiKey) => {
    const server = fakeServer(() => new Response());
    const { values, error } = await asked(server.fetch, { apiKey });
    expect(server.requests).toEqual([]);
    expect(values).toEqual([]);
    expect(error).toMatchObject({
      kind: 'authentication',
      retryable: false,
      message: 'openai: the function apiKey failed: the vault is closed',
    });
  });

  it('within a base URL is never shown', async () => {
    const failure = await Promise.resolve()
      .then(() =>
        lastOf(openAiChat({ modelName: 'm', baseUrl: `http://user:${key}@127.0.0.1:1/v1`, maxRetries: 0 }).chat(request)),
      )
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(shown(failure)).not.toContain(key);
  });

  it('is not sent in the body', async () => {
    const server = fakeServer(stream(text('x'), '[DONE]'));
    await asked(server.fetch, options);
    for (const secret of secrets) expect(server.requests[0]!.body).not.toContain(secret);
  });
});
