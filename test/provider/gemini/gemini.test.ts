import { VirtualTimeScheduler } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { gemini, type GeminiOptions } from '../../../src/provider/gemini/index.ts';
import { aiService } from '../../../src/service/ai-service.ts';
import { tool } from '../../../src/tool/tool.ts';
import { fakeServer, type FakeAnswer } from '../fake-server.ts';
import { lastOf } from '../last-of.ts';
import { played } from '../played.ts';
import { user } from './bodies.ts';
import type { PublishedContent } from './published.ts';
import { finish, functionCall, parts, text } from './turns.ts';

const stream =
  (...chunks: readonly object[]): FakeAnswer =>
  () =>
    new Response(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join(''), {
      headers: { 'content-type': 'text/event-stream' },
    });

const answer = stream(finish('STOP', text('Done.')));
const modelName = 'gemini-3-flash-preview';

/** The one request that a model with these options sends. */
async function sentBy(options: Partial<GeminiOptions>) {
  const server = fakeServer(answer);
  await lastOf(gemini({ modelName, fetch: server.fetch, ...options }).chat({ messages: [user('Hello')] }));
  return server.requests[0]!;
}

const contentsIn = ({ json }: { json: Record<string, unknown> }) => json['contents'] as readonly PublishedContent[];

describe('gemini', () => {
  it.each([
    [modelName, `models/${modelName}`],
    ['models/gemini-2.5-pro', 'models/gemini-2.5-pro'],
    ['tunedModels/mine', 'tunedModels/mine'],
    ['publishers/google/models/x@001', 'publishers/google/models/x@001'],
    ['odd name?key=x', 'models/odd%20name%3Fkey=x'],
  ])('asks for the model %s where it is', async (name, path) => {
    const { url } = await sentBy({ modelName: name });
    expect(url).toBe(`https://generativelanguage.googleapis.com/v1beta/${path}:streamGenerateContent?alt=sse`);
    const other = await sentBy({ modelName: name, baseUrl: 'https://aiplatform.googleapis.com/v1/' });
    expect(other.url).toBe(`https://aiplatform.googleapis.com/v1/${path}:streamGenerateContent?alt=sse`);
  });

  it('sends the key in a header of its own, and none without a key', async () => {
    const { headers } = await sentBy({ apiKey: 'secret' });
    expect(headers.get('x-goog-api-key')).toBe('secret');
    expect(headers.has('authorization')).toBe(false);
    expect((await sentBy({})).headers.has('x-goog-api-key')).toBe(false);
  });

  it('asks the model that a request names, by the rules of that model', async () => {
    const server = fakeServer(answer);
    const model = gemini({ modelName, fetch: server.fetch });
    await lastOf(model.chat({ modelName: 'gemini-2.5-flash', messages: [user('Hello')], reasoning: { effort: 'low' } }));
    expect(server.requests[0]!.url).toContain('/models/gemini-2.5-flash:');
    expect(server.requests[0]!.json['generationConfig']).toMatchObject({ thinkingConfig: { thinkingBudget: 1024 } });
  });

  it('asks again when the model could not write its call', async () => {
    const server = fakeServer(stream({ candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL' }] }), answer);
    const scheduler = new VirtualTimeScheduler();
    const timeout = { firstByte: Infinity, idle: Infinity };
    const model = gemini({ modelName, fetch: server.fetch, scheduler, timeout });
    const { values } = await played(model.chat({ messages: [user('Hello')] }), scheduler);
    expect(values.map(({ type }) => type)).toEqual(['retry', 'partialResponse', 'completeResponse']);
  });

  it('never shows its key', async () => {
    const quoted = () =>
      new Response('[{"error":{"code":400,"message":"bad key sk-secret","status":"INVALID_ARGUMENT"}}]', { status: 400 });
    const model = gemini({ modelName, apiKey: 'sk-secret', fetch: fakeServer(quoted).fetch });
    await expect(lastOf(model.chat({ messages: [user('Hello')] }))).rejects.toThrow('gemini: bad key [redacted]');
    expect(JSON.stringify(model)).not.toContain('sk-secret');
  });
});

describe('a service over Gemini', () => {
  it('[G13] sends back whatever its tools return, each to its call', async () => {
    const values = [undefined, null, '', [], 0, false];
    const calls = values.map((_, n) => functionCall({ name: 'give', args: { n } }, n === 0 ? 'sig' : undefined));
    const server = fakeServer(stream(parts(...calls), finish('STOP', text(''))), answer);
    const give = tool({ name: 'give', parameters: z.object({ n: z.number() }), execute: ({ n }) => values[n] });
    const service = aiService({ model: gemini({ modelName, fetch: server.fetch }), tools: [give] });
    expect((await lastOf(service.result('Go'))).content).toBe('Done.');
    const [, model, results] = contentsIn(server.requests[1]!);
    expect(model!.parts).toEqual(calls);
    expect(results!.parts!.map((part) => part.functionResponse?.response)).toEqual([
      { output: 'Success' },
      { output: 'null' },
      { output: '' },
      { output: '[]' },
      { output: '0' },
      { output: 'false' },
    ]);
  });

  it('[G57] runs the tool that has an odd name, and shows the name as it is', async () => {
    const names = ['immich.search.metadata', 'a/b', 'ünï', 'x'.repeat(90)];
    const server = fakeServer((request) => {
      const [{ functionDeclarations }] = request.json['tools'] as [{ functionDeclarations: { name: string }[] }];
      return stream(parts(...functionDeclarations.map(({ name }) => functionCall({ name }))), finish('STOP'))(request);
    }, answer);
    const tools = names.map((name) => tool({ name, execute: () => name }));
    const service = aiService({ model: gemini({ modelName, fetch: server.fetch }), tools });
    const { toolExecutions } = await lastOf(service.result('Go'));
    expect(toolExecutions.map(({ request, result }) => [request.name, result])).toEqual(names.map((name) => [name, name]));
  });

  it('[G46] goes on with a history that was stored as JSON', async () => {
    const server = fakeServer(
      stream(parts(functionCall({ name: 'now', id: 'p1' }, 'sig')), finish('STOP', text('', 'end'))),
      answer,
    );
    const now = tool({ name: 'now', execute: () => 12 });
    let stored = '[]';
    const chatMemory = {
      id: 'm',
      messages: () => JSON.parse(stored) as never[],
      add: (messages: readonly unknown[]) => void (stored = JSON.stringify([...(JSON.parse(stored) as unknown[]), ...messages])),
      set: (messages: readonly unknown[]) => void (stored = JSON.stringify(messages)),
      clear: () => void (stored = '[]'),
    };
    const service = aiService({ model: gemini({ modelName, fetch: server.fetch }), tools: [now], chatMemory });
    await lastOf(service.result('Go'));
    await lastOf(service.result('Go on'));
    expect(contentsIn(server.requests[2]!).slice(0, 3)).toEqual(contentsIn(server.requests[1]!));
    expect(JSON.stringify(server.requests[2]!.json)).toContain('"thoughtSignature":"sig"');
  });
});
