import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ConfigurationError } from '../../../src/chat/configuration-error.ts';
import { openAiResponses, type OpenAiResponsesOptions } from '../../../src/provider/openai/open-ai-responses.ts';
import { wireName } from '../../../src/provider/wire-name.ts';
import { aiService } from '../../../src/service/ai-service.ts';
import { tool } from '../../../src/tool/tool.ts';
import { fakeServer, refusal, type SentRequest } from '../fake-server.ts';
import { lastOf } from '../last-of.ts';
import { stream } from '../openai/answers.ts';
import { user } from '../openai/bodies.ts';
import { added, call, completed, created, done, message, reasoning, text, written } from './events.ts';

const hello = stream(created, added(0, message('msg_1', '')), text(0, 'Hello'), done(0, message('msg_1', 'Hello')), completed());
const request = { messages: [user('hello')] };
const inputOf = ({ json }: SentRequest) => json['input'] as readonly Record<string, unknown>[];

/** Answers with calls of these tools, each with these arguments, and some reasoning before them. */
const calling = (...calls: readonly (readonly [name: string, written: string])[]) =>
  stream(
    created,
    added(0, reasoning('rs_1', 'begun')),
    done(0, reasoning('rs_1', 'gAAA')),
    ...calls.flatMap(([name, text], i) => [
      added(i + 1, call(`fc_${i}`, `call_${i}`, name, '', { status: 'in_progress' })),
      written(i + 1, text),
      done(i + 1, call(`fc_${i}`, `call_${i}`, name, text)),
    ]),
    completed(),
  );

describe('openAiResponses', () => {
  it('is a model that says who and what it is', () => {
    expect(openAiResponses({ modelName: 'gpt-x' })).toMatchObject({
      provider: 'openai',
      modelName: 'gpt-x',
      supports: { jsonSchema: true },
    });
  });

  it('posts to the responses of the base URL, OpenAI by default, with the key where there is one', async () => {
    const server = fakeServer(hello);
    await lastOf(openAiResponses({ modelName: 'gpt-x', apiKey: 'sk-live', fetch: server.fetch }).chat(request));
    await lastOf(
      openAiResponses({ modelName: 'gpt-x', baseUrl: 'http://localhost:1234/v1/', fetch: server.fetch }).chat(request),
    );
    expect(server.requests.map(({ url }) => url)).toEqual([
      'https://api.openai.com/v1/responses',
      'http://localhost:1234/v1/responses',
    ]);
    expect(server.requests.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer sk-live', null]);
    expect(server.requests[0]!.json).toEqual({
      model: 'gpt-x',
      stream: true,
      store: false,
      include: ['reasoning.encrypted_content'],
      input: [{ role: 'user', content: 'hello' }],
    });
  });

  it.each<[string, Partial<Record<keyof OpenAiResponsesOptions | 'thinkingTags', unknown>>]>([
    ['strict', { strict: 'yes' }],
    ['thinkingTags', { thinkingTags: ['<a>', '</a>'] }],
    ['modelName', { modelName: '' }],
  ])('refuses an option that can not work: %s', (option, options) => {
    const wrong = { modelName: 'm', ...options } as unknown as OpenAiResponsesOptions;
    expect(() => openAiResponses(wrong)).toThrow(ConfigurationError);
    expect(() => openAiResponses(wrong)).toThrow(option);
  });

  it('refuses what the API can not take before a request goes out', async () => {
    const server = fakeServer(hello);
    const model = openAiResponses({ modelName: 'm', fetch: server.fetch, defaultRequest: { seed: 1 } });
    await expect(lastOf(model.chat(request))).rejects.toMatchObject({ kind: 'invalidRequest', message: /does not take seed/ });
    expect(server.requests).toEqual([]);
  });

  it('is asked again where it is overloaded before it has said anything', async () => {
    const overloaded = stream(created, { type: 'error', code: 'server_is_overloaded', message: 'Later' });
    const server = fakeServer(overloaded, hello);
    const model = openAiResponses({ modelName: 'm', fetch: server.fetch, maxRetries: 1 });
    expect(await lastOf(model.chat(request))).toMatchObject({ response: { aiMessage: { text: 'Hello' } } });
  });

  it('tells of a status that is none of success what the server said', async () => {
    const server = fakeServer(refusal(400, "Item 'rs_1' of type 'reasoning' was provided without its required following item."));
    const model = openAiResponses({ modelName: 'm', fetch: server.fetch });
    await expect(lastOf(model.chat(request))).rejects.toMatchObject({ status: 400, message: /required following item/ });
  });
});

describe('a service over the Responses API', () => {
  const add = tool({ name: 'add', parameters: z.object({ a: z.number() }), execute: ({ a }) => a + 1 });

  it('[G50] sends the reasoning back directly before the call it led to, and the result behind them', async () => {
    const server = fakeServer(calling(['add', '{"a":1}']), hello);
    const service = aiService({ model: openAiResponses({ modelName: 'm', fetch: server.fetch }), tools: [add] });
    expect((await lastOf(service.result('Go'))).content).toBe('Hello');
    expect(inputOf(server.requests[1]!)).toEqual([
      { role: 'user', content: 'Go' },
      { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'gAAA' },
      { type: 'function_call', id: 'fc_0', call_id: 'call_0', name: 'add', arguments: '{"a":1}' },
      { type: 'function_call_output', call_id: 'call_0', output: '2' },
    ]);
  });

  it('[G57] calls tools by any name', async () => {
    const name = 'immich.search.metadata';
    const odd = tool({ name, execute: () => 'found' });
    const server = fakeServer(calling([wireName(name), '{}']), hello);
    const service = aiService({ model: openAiResponses({ modelName: 'm', fetch: server.fetch }), tools: [odd, add] });
    const { toolExecutions } = await lastOf(service.result('Go'));
    expect(toolExecutions).toMatchObject([{ request: { name }, result: 'found' }]);
    expect(inputOf(server.requests[1]!)).toMatchObject([{}, {}, { name: wireName(name) }, { output: 'found' }]);
  });

  it('[G13] sends an output for whatever a tool returns', async () => {
    const returned = [undefined, null, '', [], 0, false];
    const tools = returned.map((value, i) => tool({ name: `t${i}`, execute: () => value }));
    const server = fakeServer(calling(...tools.map(({ specification }) => [specification.name, '{}'] as const)), hello);
    const service = aiService({ model: openAiResponses({ modelName: 'm', fetch: server.fetch }), tools });
    await lastOf(service.result('Go'));
    const outputs = inputOf(server.requests[1]!).filter(({ type }) => type === 'function_call_output');
    expect(outputs.map(({ output }) => output)).toEqual(['Success', 'null', '', '[]', '0', 'false']);
  });

  it('sends calls with ids that the server repeats, each with its own result', async () => {
    const server = fakeServer(calling(['add', '{"a":1}']), calling(['add', '{"a":5}']), hello);
    const service = aiService({ model: openAiResponses({ modelName: 'm', fetch: server.fetch }), tools: [add] });
    await lastOf(service.result('Go'));
    const items = inputOf(server.requests[2]!);
    const ids = items.filter(({ type }) => type === 'function_call').map(({ call_id }) => call_id);
    expect(new Set(ids).size).toBe(2);
    expect(items.filter(({ type }) => type === 'function_call_output').map(({ call_id, output }) => [call_id, output])).toEqual([
      [ids[0], '2'],
      [ids[1], '6'],
    ]);
  });
});
