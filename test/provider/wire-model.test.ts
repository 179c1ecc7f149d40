import { describe, expect, it } from 'vitest';
import type { ChatRequest } from '../../src/chat/chat-request.ts';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import { gemini } from '../../src/provider/gemini/gemini.ts';
import { openAiChat } from '../../src/provider/openai/open-ai-chat.ts';
import type { ProviderOptions } from '../../src/provider/provider-options.ts';
import { fakeServer } from './fake-server.ts';
import { lastOf } from './last-of.ts';
import { request, stream } from './openai/answers.ts';
import { finish, text } from './openai/turns.ts';

/** What a model sends. */
async function sent(options: Partial<ProviderOptions>, asked: Partial<ChatRequest> = {}, model = openAiChat) {
  const server = fakeServer(stream(text('x'), finish('stop'), '[DONE]'));
  await lastOf(model({ modelName: 'm', fetch: server.fetch, maxRetries: 0, ...options }).chat({ ...request, ...asked })).catch(
    (error: unknown) => {
      if (server.requests.length === 0) throw error;
    },
  );
  return server.requests[0]!;
}

describe('the model behind a wire', () => {
  it('has the defaults of its requests where a request says nothing else, also within providerOptions', async () => {
    const defaultRequest = { temperature: 0, seed: 1, providerOptions: { keep: '10m', options: { a: 1, b: [1, 2] } } };
    const { json } = await sent({ defaultRequest }, { seed: 2, providerOptions: { options: { b: [3], c: 3 } } });
    expect(json).toMatchObject({ temperature: 0, seed: 2, keep: '10m', options: { a: 1, b: [3], c: 3 } });
  });

  it.each([
    ['https://x.test/v1', 'https://x.test/v1/chat/completions'],
    ['https://x.test/v1/', 'https://x.test/v1/chat/completions'],
    ['https://x.test/d/?api-version=1', 'https://x.test/d/chat/completions?api-version=1'],
  ])('sends to the path of the call behind %s', async (baseUrl, url) => {
    expect((await sent({ baseUrl })).url).toBe(url);
  });

  it('keeps the query of the base beside that of the call', async () => {
    const { url } = await sent({ baseUrl: 'https://x.test/v1?a=b' }, {}, gemini);
    expect(url).toBe('https://x.test/v1/models/m:streamGenerateContent?alt=sse&a=b');
  });

  it('refuses a choice of a tool that is not there, before the request goes out', async () => {
    const toolSpecifications = [{ name: 'add', parameters: { type: 'object', properties: {} } }];
    await expect(sent({}, { toolSpecifications, toolChoice: { name: 'sub' } })).rejects.toThrow(
      'openai: the chat-completions API does not take toolChoice sub, which is no tool of the request: choose one of add.',
    );
    expect((await sent({}, { toolSpecifications, toolChoice: { name: 'add' } })).json).toHaveProperty('tool_choice');
  });

  it.each<[string, object]>([
    ['messages', { messages: [] }],
    ['temperature is "hot"', { temperature: 'hot' }],
    ['toolChoice is "any"', { toolChoice: 'any' }],
    ['responseFormat is "json"', { responseFormat: 'json' }],
    ['stopSequences is "x"', { stopSequences: 'x' }],
    ['maxOutputTokens is -1', { maxOutputTokens: -1 }],
    ['reasoning is an object with effort', { reasoning: { effort: 'huge' } }],
    ['providerOptions is [1]', { providerOptions: [1] }],
  ])('takes no default that no provider could take: %s', (words, defaultRequest) => {
    expect(() => openAiChat({ modelName: 'm', defaultRequest })).toThrow(ConfigurationError);
    expect(() => openAiChat({ modelName: 'm', defaultRequest })).toThrow(words);
  });

  it.each([
    ['https://api.openai.com/v1', 'gpt-4o', 'max_completion_tokens'],
    ['https://me.openai.azure.com/openai/v1', 'gpt-4o', 'max_completion_tokens'],
    ['http://proxy.test/v1', 'openai/gpt-5-mini', 'max_completion_tokens'],
    ['http://proxy.test/v1', 'o3', 'max_completion_tokens'],
    ['http://proxy.test/v1', 'qwen3', 'max_tokens'],
  ])('limits the answer under the name that %s knows for %s', async (baseUrl, modelName, name) => {
    expect((await sent({ baseUrl, modelName }, { maxOutputTokens: 5 })).json).toHaveProperty(name, 5);
  });
});
