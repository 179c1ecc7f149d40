import { describe, expect, it } from 'vitest';
import { providerError, wordsIn } from '../../src/provider/provider-error.ts';

const classified = (status: number | undefined, words: { type?: string; code?: string } = {}) => {
  const { kind, retryable } = providerError('acme', { message: 'x', ...words }, status === undefined ? {} : { status });
  return `${kind} ${retryable ? 'again' : 'never'}`;
};

describe('providerError', () => {
  it.each([
    [400, 'invalidRequest never'],
    [401, 'authentication never'],
    [402, 'permission never'],
    [403, 'permission never'],
    [404, 'notFound never'],
    [408, 'timeout again'],
    [409, 'server again'],
    [418, 'invalidRequest never'],
    [422, 'invalidRequest never'],
    [429, 'rateLimit again'],
    [500, 'server again'],
    [502, 'server again'],
    [503, 'overloaded again'],
    [504, 'server again'],
    [529, 'overloaded again'],
  ])('[G30] knows whether status %i is worth another try', (status, expected) => {
    expect(classified(status)).toBe(expected);
  });

  it.each([
    [{ type: 'overloaded_error' }, 'overloaded again'],
    [{ code: 'rate_limit_exceeded' }, 'rateLimit again'],
    [{ code: 'insufficient_quota' }, 'rateLimit never'],
    [{ code: 'Throttling.RateQuota' }, 'rateLimit again'],
    [{ type: 'ThrottlingException' }, 'rateLimit again'],
    [{ type: 'invalid_request_error', code: 'tool_use_failed' }, 'invalidRequest never'],
    [{ code: 'invalid_api_key' }, 'authentication never'],
    [{ code: 'content_filter' }, 'contentFilter never'],
    [{ code: 'model_not_found' }, 'notFound never'],
    [{ code: '502' }, 'server again'],
    [{ code: '400' }, 'invalidRequest never'],
    [{}, 'server again'],
  ])('reads an error within a stream by its words: %j', (words, expected) => {
    expect(classified(undefined, words)).toBe(expected);
  });

  it('does not ask again where an account is empty, though the status is that of a busy server', () => {
    expect(classified(429, { code: 'insufficient_quota' })).toBe('rateLimit never');
    expect(classified(429, { type: 'requests', code: 'rate_limit_exceeded' })).toBe('rateLimit again');
  });

  it.each([
    ['authentication never', { type: 'API_KEY_INVALID' }],
    ['contentFilter never', { code: 'content_filter' }],
    ['notFound never', { code: 'model_not_found' }],
    ['invalidRequest never', { type: 'overloaded_error' }],
  ])('reads what is behind a status of 400: %s', (expected, words) => {
    expect(classified(400, words)).toBe(expected);
  });

  it("reads Google's details: the reason of a refusal, and when to come back", () => {
    const refused = { code: 400, message: 'Bad key', status: 'INVALID_ARGUMENT', details: [null, { reason: 'API_KEY_INVALID' }] };
    expect(wordsIn([{ error: refused }])).toEqual({ message: 'Bad key', type: 'INVALID_ARGUMENT, API_KEY_INVALID', code: '400' });
    const busy = {
      code: 429,
      message: 'Busy',
      status: 'RESOURCE_EXHAUSTED',
      details: [{ retryDelay: '37.5s' }, { retryDelay: 'soon' }],
    };
    const words = wordsIn({ error: busy })!;
    expect(providerError('gemini', words, { status: 429 })).toMatchObject({
      retryAfter: 37_500,
      kind: 'rateLimit',
      retryable: true,
    });
  });

  it('reads words out of anything, however odd', () => {
    const deep = JSON.parse(`{"error":${'['.repeat(20_000)}${']'.repeat(20_000)}}`) as unknown;
    const poison = [{ retryDelay: { toString: 1 }, reason: { toString: 1 } }];
    expect(wordsIn(deep)?.message).toContain('[Deep]');
    expect(wordsIn({ error: { message: 'x', details: poison, code: {}, type: [] } })).toEqual({ message: 'x' });
    expect(wordsIn({ base_resp: { status_code: { toString: 1 } } })).toBeUndefined();
  });

  it('waits as long as the provider asks for, up to 60 s', () => {
    expect(providerError('acme', { message: 'busy' }, { status: 429, retryAfter: 60_000 })).toMatchObject({
      message: 'acme: busy (status 429, retry after 60 s)',
      retryAfter: 60_000,
      retryable: true,
    });
  });

  it('fails at once where it would have to wait longer, and says the number', () => {
    expect(providerError('acme', { message: 'busy' }, { status: 429, retryAfter: 61_000 })).toMatchObject({
      message: 'acme: busy (status 429, retry after 61 s, which is too long to wait here)',
      retryAfter: 61_000,
      retryable: false,
    });
  });

  it('says nothing twice', () => {
    expect(providerError('acme', { message: 'x', type: 'quota', code: 'quota' }).message).toBe('acme: x (type quota)');
    expect(providerError('acme', { message: 'x' }).message).toBe('acme: x');
  });

  it('tells as JSON what is known, and nothing else', () => {
    expect(JSON.parse(JSON.stringify(providerError('acme', { message: 'x' })))).toEqual({
      name: 'ChatModelError',
      kind: 'server',
      provider: 'acme',
      retryable: true,
    });
  });
});

describe('wordsIn', () => {
  it.each([
    [{ error: { message: 'm', type: 't', code: 'c' } }, { message: 'm', type: 't', code: 'c' }],
    [{ error: 'm' }, { message: 'm' }],
    [
      { message: 'm', code: 429 },
      { message: 'm', code: '429' },
    ],
    [{ detail: 'm' }, { message: 'm' }],
    [{ error: { message: 'm', status: 'UNAVAILABLE' } }, { message: 'm', type: 'UNAVAILABLE' }],
    [[{ error: { message: 'm', code: 400 } }], { message: 'm', code: '400' }],
    [{ error: { code: 503 } }, { message: '{"code":503}', code: '503' }],
    [{ error: { message: '', code: 503 } }, { message: '{"message":"","code":503}', code: '503' }],
    [{ error: {} }, { message: '{}' }],
    [
      { success: false, errors: [{ code: 7000, message: 'm' }, { message: 'n' }] },
      { message: 'm', code: '7000' },
    ],
    [{ errors: ['m'] }, { message: 'm' }],
    [{ base_resp: { status_code: 1008, status_msg: 'm' } }, { message: 'm', code: '1008' }],
    [{ 'error parsing tool call': 'raw=x' }, { message: 'error parsing tool call: raw=x' }],
  ])('finds them in %j', (json, words) => {
    expect(wordsIn(json)).toEqual(words);
  });

  const silent = [
    { errors: [] },
    { errors: [5] },
    { base_resp: { status_code: 0, status_msg: 'success' } },
    { 'error count': 0 },
  ];

  it.each([null, undefined, 42, '', {}, [], { ok: false }, { error: null }, { message: 5 }, ...silent])(
    'finds none in %j',
    (json) => {
      expect(wordsIn(json)).toBeUndefined();
    },
  );

  it('takes a JSON string as the words themselves', () => {
    expect(wordsIn('busy')).toEqual({ message: 'busy' });
  });
});
