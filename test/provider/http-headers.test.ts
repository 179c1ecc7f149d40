import { defer, of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ChatModelError } from '../../src/chat/chat-model-error.ts';
import { thenStream } from '../../src/chat/then-stream.ts';
import { bearer } from '../../src/provider/bearer.ts';
import { httpHeaders } from '../../src/provider/http-headers.ts';
import { providerSettings, type ProviderOptions } from '../../src/provider/provider-options.ts';
import { sseFraming } from '../../src/provider/sse.ts';
import { collected } from './collected.ts';

const wire = { provider: 'acme', framing: sseFraming, headers: bearer } as const;
const settingsOf = (options: Partial<ProviderOptions>) => providerSettings('test', { modelName: 'm', ...options }, 'http://x');
const asked = (headersOf: ReturnType<typeof httpHeaders>) => defer(() => thenStream(headersOf(), (headers) => of(headers)));
const headersOf = (options: Partial<ProviderOptions>) => collected(asked(httpHeaders(wire, settingsOf(options))));
const plain = (options: Partial<ProviderOptions>) => headersOf(options).values[0]!;

const common = { 'content-type': 'application/json', accept: 'text/event-stream' };

describe('httpHeaders', () => {
  it('has the key as a bearer token', () => {
    expect(plain({ apiKey: 'sk-live' })).toEqual({ ...common, authorization: 'Bearer sk-live' });
  });

  it.each([
    ['a value', () => 'sk-live'],
    ['an Observable', () => of('sk-live')],
  ])('asks a function for the key that returns %s, at once', (_, apiKey) => {
    expect(plain({ apiKey })['authorization']).toBe('Bearer sk-live');
  });

  it('waits for a key that comes later, and asks for it anew each time', async () => {
    let times = 0;
    const headers$ = asked(httpHeaders(wire, settingsOf({ apiKey: () => Promise.resolve(`key-${++times}`) })));
    const keys: (string | undefined)[] = [];
    await headers$.forEach((headers) => keys.push(headers['authorization']));
    await headers$.forEach((headers) => keys.push(headers['authorization']));
    expect(keys).toEqual(['Bearer key-1', 'Bearer key-2']);
  });

  it('has no authorization without a key', () => {
    expect(plain({})).toEqual(common);
    expect(plain({ apiKey: '' })).toEqual(common);
  });

  it('lets headers of the user have the last word', () => {
    expect(plain({ apiKey: 'sk-live', headers: { Authorization: 'Basic abc', 'x-team': 'a', Accept: '*/*' } })).toEqual({
      'content-type': 'application/json',
      accept: '*/*',
      authorization: 'Basic abc',
      'x-team': 'a',
    });
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('the vault is closed');
      },
    ],
    ['errors', () => throwError(() => new Error('the vault is closed'))],
  ])('fails with an error of authentication where the function %s', (_, apiKey) => {
    expect(headersOf({ apiKey }).error).toMatchObject({
      name: 'ChatModelError',
      message: 'acme: the function apiKey failed: the vault is closed',
      kind: 'authentication',
      retryable: false,
    });
  });

  it.each([
    ['a number', 7, 'number'],
    ['an object', { key: 'sk-secret' }, 'object'],
    ['null', null, 'object'],
  ])('fails with an error of authentication where the function returns %s, and shows no value', (_, key, type) => {
    expect(headersOf({ apiKey: () => key as never }).error).toMatchObject({
      name: 'ChatModelError',
      message: `acme: the function apiKey failed: it must return a text, and no ${type}`,
      kind: 'authentication',
    });
  });

  it('has no authorization where the function returns none', () => {
    expect(plain({ apiKey: () => undefined as never })).toEqual(common);
  });

  it.each([
    ['a key', { apiKey: 'sk-secret\nx' }, 'authorization'],
    ['a value', { headers: { 'x-secret': 'sk-secret\r\nx' } }, 'x-secret'],
    ['a name', { headers: { 'x secret': 'sk-secret' } }, 'x secret'],
  ])('fails where %s has characters that headers must not have, and shows no value', (_, options, name) => {
    const error = headersOf(options).error as ChatModelError;
    expect(error).toMatchObject({ name: 'ChatModelError', kind: 'invalidRequest', retryable: false });
    expect(error.message).toContain(`the header ${name} can't be sent`);
    expect(`${error.message}${error.stack}${String(error.cause)}`).not.toContain('sk-secret');
  });
});
