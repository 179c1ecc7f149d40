import { asyncScheduler } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import { openAiChat } from '../../src/provider/openai/open-ai-chat.ts';
import { providerSettings, type ProviderOptions } from '../../src/provider/provider-options.ts';

/** As a program without types may call it. */
const construct = (options: unknown) => () => openAiChat(options as ProviderOptions);
const settingsOf = (options: Partial<ProviderOptions> = {}) =>
  providerSettings('test', { modelName: 'm', ...options }, 'https://default/v1');

describe('the options of a provider', () => {
  it.each([
    [undefined, 'openAiChat: there must be an object of options, not undefined.'],
    ['gpt-5', 'openAiChat: there must be an object of options, not a text.'],
    [{}, 'openAiChat: modelName is undefined; it must be a text that is not empty.'],
    [{ modelName: ' ' }, 'openAiChat: modelName is " "; it must be a text that is not empty.'],
    [
      { modelName: 'm', model: 'm' },
      'openAiChat: unknown option model (did you mean modelName?); there are modelName, apiKey, baseUrl,',
    ],
    [
      { modelName: 'm', baseUrl: 'localhost:1234' },
      'openAiChat: baseUrl is "localhost:1234"; it must be a URL that begins with http:// or https://, or in a page a path that begins with /, without blanks or a #.',
    ],
    [{ modelName: 'm', baseUrl: 'https://x/v1#a' }, 'openAiChat: baseUrl is "https://x/v1"; '],
    [{ modelName: 'm', baseUrl: '' }, 'openAiChat: baseUrl is ""; it must be a text that is not empty.'],
    [{ modelName: 'm', baseUrl: 'http://[' }, 'openAiChat: baseUrl is "http://["; '],
    [{ modelName: 'm', fetch: 'node' }, 'openAiChat: fetch is "node"; it must be a function.'],
    [{ modelName: 'm', idGenerator: 7 }, 'openAiChat: idGenerator is 7; it must be a function.'],
    [{ modelName: 'm', maxRetries: -1 }, 'openAiChat: maxRetries is -1; it must be a whole number from 0 up.'],
    [{ modelName: 'm', maxRetries: 1.5 }, 'openAiChat: maxRetries is 1.5; it must be a whole number from 0 up.'],
    [{ modelName: 'm', maxEventSize: 0 }, 'openAiChat: maxEventSize is 0; it must be a whole number from 1 up.'],
    [{ modelName: 'm', timeout: 5000 }, 'openAiChat: timeout: there must be an object of options, not 5000.'],
    [{ modelName: 'm', timeout: { total: 0 } }, 'openAiChat: timeout.total is 0; it must be a number of ms above 0.'],
    [{ modelName: 'm', timeout: { idle: '5s' } }, 'openAiChat: timeout.idle is "5s"; it must be a number of ms above 0.'],
    [{ modelName: 'm', timeout: { firstByte: Number.NaN } }, 'openAiChat: timeout.firstByte is '],
    [
      { modelName: 'm', timeout: { first: 1 } },
      'openAiChat: timeout: unknown option first (did you mean firstByte?); there are firstByte, idle, total.',
    ],
    [
      { modelName: 'm', temperature: 0 },
      'openAiChat: temperature is a setting of requests; set it in defaultRequest, as { temperature: … }.',
    ],
    [{ modelName: 'm', messages: [] }, 'openAiChat: unknown option messages; there are modelName,'],
    [{ modelName: 'm', headers: 'x-team: a' }, 'openAiChat: headers '],
    [{ modelName: 'm', defaultRequest: 'gpt-5' }, 'openAiChat: defaultRequest is "gpt-5"; '],
    [{ modelName: 'm', scheduler: 'fast' }, 'openAiChat: scheduler is "fast"; '],
  ])('are refused at once where they can not work, with name, value and remedy: %j', (options, message) => {
    expect(construct(options)).toThrow(ConfigurationError);
    expect(construct(options)).toThrow(message);
  });

  it('do not show a key that is given in a wrong form', () => {
    const attempt = construct({ modelName: 'm', apiKey: ['sk-secret'] });
    expect(attempt).toThrow(ConfigurationError);
    expect(attempt).toThrow('openAiChat: apiKey ');
    expect(attempt).not.toThrow('sk-secret');
  });

  it('have defaults', () => {
    expect(settingsOf()).toMatchObject({
      baseUrl: 'https://default/v1',
      maxRetries: 2,
      maxEventSize: 16_777_216,
      scheduler: asyncScheduler,
      timeout: { firstByte: 300_000, idle: 300_000 },
    });
    expect(settingsOf().idGenerator()).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('may be left undefined, which is the same as not set', () => {
    const { timeout, maxRetries } = settingsOf({
      maxRetries: undefined,
      timeout: { firstByte: undefined, idle: undefined, total: undefined },
    });
    expect(timeout).toEqual({ firstByte: 300_000, idle: 300_000, total: undefined });
    expect(maxRetries).toBe(2);
    const names = [
      'apiKey',
      'baseUrl',
      'headers',
      'fetch',
      'timeout',
      'maxEventSize',
      'defaultRequest',
      'scheduler',
      'idGenerator',
    ];
    const unset = Object.fromEntries(names.map((name) => [name, undefined]));
    const { idGenerator, fetch, ...settings } = settingsOf(unset);
    expect(settings).toMatchObject({ baseUrl: 'https://default/v1', maxEventSize: 16_777_216, scheduler: asyncScheduler });
    expect([typeof idGenerator, typeof fetch]).toEqual(['function', 'function']);
  });

  it('set one time limit without taking away the others', () => {
    expect(settingsOf({ timeout: { idle: 5 } }).timeout).toEqual({ firstByte: 300_000, idle: 5 });
  });

  it('take a path as baseUrl, in a page', () => {
    const isPage = 'document' in globalThis;
    const baseURI = 'https://shop.example/desk/';
    if (isPage) vi.spyOn(document, 'baseURI', 'get').mockReturnValue(baseURI);
    else vi.stubGlobal('document', { baseURI });
    const urls = ['/v1', './v1', '../v1/', 'https://api.example/v1'].map((baseUrl) => settingsOf({ baseUrl }).baseUrl);
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    expect(urls).toEqual([
      'https://shop.example/v1',
      'https://shop.example/desk/v1',
      'https://shop.example/v1',
      'https://api.example/v1',
    ]);
    if (!isPage) expect(() => settingsOf({ baseUrl: '/v1' })).toThrow(/baseUrl is "\/v1"/);
  });

  it('take a baseUrl with a slash at its end', () => {
    expect(settingsOf({ baseUrl: 'http://x/v1//' }).baseUrl).toBe('http://x/v1');
  });

  it('look up the global fetch at each call, so that one that is patched later is used', async () => {
    const { fetch } = settingsOf();
    const original = globalThis.fetch;
    globalThis.fetch = () => Promise.resolve(new Response('patched'));
    try {
      expect(await (await fetch('http://x')).text()).toBe('patched');
    } finally {
      globalThis.fetch = original;
    }
  });

  it('may be infinite where that makes sense', () => {
    expect(
      construct({
        modelName: 'm',
        maxRetries: Infinity,
        maxEventSize: Infinity,
        timeout: { firstByte: Infinity, idle: Infinity, total: Infinity },
      }),
    ).not.toThrow();
  });
});
