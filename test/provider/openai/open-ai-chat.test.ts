import { VirtualTimeScheduler } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { openAiChat } from '../../../src/provider/openai/open-ai-chat.ts';
import { fakeServer, settled } from '../fake-server.ts';
import { played } from '../played.ts';
import { asked, request, stream } from './answers.ts';
import { call, calls, delta, finish, text } from './turns.ts';
import { wireName } from '../../../src/provider/wire-name.ts';

const hello = stream(text('Hello'), finish('stop'), '[DONE]');

describe('openAiChat', () => {
  it('is a model that says who and what it is', () => {
    expect(openAiChat({ modelName: 'gpt-x' })).toMatchObject({
      provider: 'openai',
      modelName: 'gpt-x',
      supports: { jsonSchema: true },
    });
  });

  it('posts to the chat completions of the base URL, OpenAI by default', async () => {
    const server = fakeServer(hello);
    await asked(server.fetch, { apiKey: 'sk-live' });
    await asked(server.fetch, { baseUrl: 'http://localhost:11434/v1/' });
    expect(server.requests.map(({ url }) => url)).toEqual([
      'https://api.openai.com/v1/chat/completions',
      'http://localhost:11434/v1/chat/completions',
    ]);
    expect(Object.fromEntries(server.requests[0]!.headers)).toEqual({
      'content-type': 'application/json',
      accept: 'text/event-stream',
      authorization: 'Bearer sk-live',
    });
    expect(server.requests[0]!.json).toEqual({
      model: 'gpt-x',
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'user', content: 'hello' }],
    });
  });

  it.each([
    ['https://api.openai.com/v1', 'max_completion_tokens'],
    ['https://eu.api.openai.com/v1', 'max_completion_tokens'],
    ['http://localhost:8080/v1', 'max_tokens'],
    ['https://openai.com.example.org/v1', 'max_tokens'],
    ['https://notopenai.com/v1', 'max_tokens'],
  ])('limits the tokens at %s by %s', async (baseUrl, field) => {
    const server = fakeServer(hello);
    await asked(server.fetch, { baseUrl, defaultRequest: { maxOutputTokens: 7 } });
    expect(server.requests[0]!.json).toHaveProperty(field, 7);
  });

  it('streams the answer', async () => {
    const { values, error } = await asked(fakeServer(stream(text('Hel'), text('lo'), finish('stop'), '[DONE]')).fetch);
    expect(error).toBeUndefined();
    expect(values.map((event) => (event.type === 'partialResponse' ? event.text : event.type))).toEqual([
      'Hel',
      'lo',
      'completeResponse',
    ]);
  });

  it('sends nothing before it is subscribed to, and anew for each subscription', async () => {
    const server = fakeServer(hello);
    const scheduler = new VirtualTimeScheduler();
    const answer$ = openAiChat({
      modelName: 'm',
      fetch: server.fetch,
      scheduler,
      timeout: { firstByte: Infinity, idle: Infinity },
    }).chat(request);
    await settled();
    expect(server.requests).toHaveLength(0);
    await played(answer$, scheduler);
    await played(answer$, scheduler);
    expect(server.requests).toHaveLength(2);
  });

  it('has defaults for requests, which a request overrides and what it leaves undefined does not', async () => {
    const server = fakeServer(hello);
    const scheduler = new VirtualTimeScheduler();
    const defaultRequest = { temperature: 0.5, seed: 1, modelName: 'default' };
    const model = openAiChat({
      modelName: 'gpt-x',
      fetch: server.fetch,
      scheduler,
      timeout: { firstByte: Infinity, idle: Infinity },
      defaultRequest,
    });
    await played(model.chat({ ...request, temperature: 0, seed: undefined }), scheduler);
    await played(model.chat({ ...request, modelName: 'gpt-y' }), scheduler);
    expect(server.requests[0]!.json).toMatchObject({ model: 'default', temperature: 0, seed: 1 });
    expect(server.requests[1]!.json).toMatchObject({ model: 'gpt-y', temperature: 0.5, seed: 1 });
  });

  it('[G57] takes tools by any name: mapped on the way out, and back on the way in', async () => {
    const name = 'immich.search.metadata';
    const server = fakeServer(stream(calls(call(0, 'A', wireName(name), '{}')), finish('tool_calls'), '[DONE]'));
    const scheduler = new VirtualTimeScheduler();
    const model = openAiChat({
      modelName: 'm',
      fetch: server.fetch,
      scheduler,
      timeout: { firstByte: Infinity, idle: Infinity },
    });
    const { values } = await played(
      model.chat({ ...request, toolSpecifications: [{ name, parameters: { type: 'object' } }] }),
      scheduler,
    );
    const { tools } = server.requests[0]!.json as { tools: [{ function: { name: string } }] };
    expect(tools[0].function.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(values.at(-1)).toMatchObject({ response: { aiMessage: { toolExecutionRequests: [{ name }] } } });
  });

  it('makes up ids with the generator that it is given', async () => {
    const server = fakeServer(
      stream(delta({ tool_calls: [{ function: { name: 's', arguments: '{}' } }] }), finish('stop'), '[DONE]'),
    );
    const { values } = await asked(server.fetch, { idGenerator: () => 'mine' });
    expect(values).toContainEqual({ type: 'completeToolCall', index: 0, request: { id: 'mine', name: 's', arguments: '{}' } });
  });

  it.each([
    [
      'an error in JSON',
      '{"error":{"message":"model is loading","code":503}}',
      'application/json',
      'openai: model is loading (code 503)',
      'overloaded',
      true,
    ],
    [
      'a page',
      '<html>Login</html>',
      'text/html',
      'openai: the body is not an event stream (content type text/html); it begins: <html>Login</html>',
      'malformedResponse',
      false,
    ],
    ['nothing', '', 'text/event-stream', 'openai: the stream carried no event', 'malformedResponse', true],
    [
      'pings alone',
      ': ping\n\n: ping\n\n',
      'text/event-stream',
      'openai: the stream carried no event',
      'malformedResponse',
      true,
    ],
  ])('says what came where the body of status 200 is %s', async (_, body, type, message, kind, retryable) => {
    const { error } = await asked(fakeServer(() => new Response(body, { headers: { 'content-type': type } })).fetch, {
      maxRetries: 0,
    });
    expect(error).toMatchObject({ message, kind, retryable });
  });
});
