import { VirtualTimeScheduler } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ConfigurationError } from '../../../src/chat/configuration-error.ts';
import type { ChatModelEvent } from '../../../src/chat/chat-model.ts';
import type { ChatRequest } from '../../../src/chat/chat-request.ts';
import type { ChatMessage } from '../../../src/chat/message.ts';
import { ollama, type OllamaOptions } from '../../../src/provider/ollama/ollama.ts';
import { aiService } from '../../../src/service/ai-service.ts';
import { tool } from '../../../src/tool/tool.ts';
import { fakeServer, fedBody, settled, type FakeAnswer } from '../fake-server.ts';
import { lastOf } from '../last-of.ts';
import { gathered } from '../openai/answers.ts';
import { user } from '../openai/bodies.ts';
import { played, type Played } from '../played.ts';
import type { SentMessage } from './bodies.ts';
import { call, calls, done, line, text } from './lines.ts';

const headers = { 'content-type': 'application/x-ndjson' };

const stream =
  (...lines: readonly object[]): FakeAnswer =>
  () =>
    new Response(lines.map((item) => `${JSON.stringify(item)}\n`).join(''), { headers });

const told =
  (status: number, body: unknown): FakeAnswer =>
  () =>
    Response.json(body, { status });

const hello: ChatRequest = { messages: [user('hello')] };

function asked(answer: FakeAnswer, options: Partial<OllamaOptions> = {}, request = hello) {
  const scheduler = new VirtualTimeScheduler();
  const timeout = { firstByte: Infinity, idle: Infinity };
  const server = fakeServer(answer);
  const model = ollama({ modelName: 'qwen3', fetch: server.fetch, scheduler, timeout, maxRetries: 0, ...options });
  return played(model.chat(request), scheduler).then((result) => ({ ...result, server }));
}

const responseIn = ({ values }: Played<ChatModelEvent>) => {
  const last = values.at(-1);
  return last?.type === 'completeResponse' ? last.response : undefined;
};

const answer = stream(text('Hi'), done('stop'));

describe('ollama', () => {
  it('asks the server on this machine for lines of JSON, without a key', async () => {
    const { server, ...result } = await asked(answer);
    expect(responseIn(result)?.aiMessage.text).toBe('Hi');
    const [request] = server.requests;
    expect(request!.url).toBe('http://localhost:11434/api/chat');
    expect(request!.headers.get('accept')).toBe('application/x-ndjson');
    expect(request!.headers.has('authorization')).toBe(false);
    expect(request!.json).toEqual({ model: 'qwen3', stream: true, messages: [{ role: 'user', content: 'hello' }] });
  });

  it('asks another server, with a key', async () => {
    const { server } = await asked(answer, { baseUrl: 'https://ollama.com/', apiKey: 'sk-secret' });
    expect(server.requests[0]!.url).toBe('https://ollama.com/api/chat');
    expect(server.requests[0]!.headers.get('authorization')).toBe('Bearer sk-secret');
  });

  it('takes defaults for what a request does not say', async () => {
    const defaultRequest = { temperature: 0, providerOptions: { keep_alive: '1h' } };
    const { server } = await asked(answer, { defaultRequest }, { ...hello, modelName: 'gemma3' });
    expect(server.requests[0]!.json).toMatchObject({ model: 'gemma3', keep_alive: '1h', options: { temperature: 0 } });
  });

  it('reads the one line of a server that does not stream', async () => {
    const whole = () =>
      Response.json({ model: 'qwen3', message: { role: 'assistant', content: 'Hi' }, done: true, done_reason: 'stop' });
    expect(responseIn(await asked(whole))?.aiMessage.text).toBe('Hi');
  });

  it('says in the words of the server that the model is missing', async () => {
    const { error } = await asked(told(404, { error: 'model "qwen9" not found, try pulling it first' }));
    expect(error).toMatchObject({ name: 'ChatModelError', kind: 'notFound', status: 404, retryable: false });
    expect((error as Error).message).toBe(
      'ollama: model "qwen9" not found, try pulling it first (status 404, asked for http://localhost:11434/api/chat)',
    );
  });

  it('says in the words of the server that the model knows no tools', async () => {
    const { error } = await asked(told(400, { error: '"gemma3" does not support tools' }));
    expect(error).toMatchObject({ kind: 'invalidRequest', status: 400, retryable: false });
    expect((error as Error).message).toBe('ollama: "gemma3" does not support tools (status 400)');
  });

  it('asks a busy server again, and not one whose answer has begun', async () => {
    const busy = told(503, { error: 'server busy, please try again.' });
    const again = fakeServer(busy, answer);
    const { values } = await asked(answer, { fetch: again.fetch, maxRetries: 1 });
    expect(values.map(({ type }) => type)).toEqual(['retry', 'partialResponse', 'completeResponse']);
    const broken = fakeServer(stream(text('Hi'), { error: 'out of memory' }));
    expect((await asked(answer, { fetch: broken.fetch, maxRetries: 1 })).error).toMatchObject({
      message: 'ollama: out of memory',
    });
    expect(broken.requests).toHaveLength(1);
  });

  it('refuses what the API has no word for before anything is sent', async () => {
    const { error, server } = await asked(answer, {}, { ...hello, reasoning: { budget: 1 } });
    expect(error).toMatchObject({ kind: 'invalidRequest', retryable: false });
    expect(server.requests).toEqual([]);
  });

  it('throws a ConfigurationError for an option that can not work', () => {
    expect(() => ollama({ modelName: '' })).toThrow(ConfigurationError);
    expect(() => ollama({ modelName: 'm', thinkingTags: ['a', 'b'] } as OllamaOptions)).toThrow(/^ollama: /);
  });

  it('hands over a call while the body is open, and stops the request when its consumer leaves', async () => {
    const body = fedBody();
    const server = fakeServer(() => new Response(body.stream, { headers }));
    const running = gathered(ollama({ modelName: 'm', fetch: server.fetch }).chat(hello));
    await settled();
    body.send(`${JSON.stringify(calls(call('add', { x: 1 })))}\n`);
    await settled();
    expect(running.values.map(({ type }) => type)).toEqual(['partialToolCall', 'completeToolCall']);
    running.leave();
    expect(server.requests[0]!.signal.aborted).toBe(true);
  });
});

describe('a service over the Ollama wire', () => {
  const odd = 'add.numbers/ünï';

  /** Runs one tool round and the answer, and tells what was sent. */
  async function toolLoop(detour: (messages: readonly ChatMessage[]) => readonly ChatMessage[] = (messages) => messages) {
    const server = fakeServer((request) => {
      const [declared] = (request.json['tools'] as [{ function: { name: string } }] | undefined) ?? [];
      const hasResult = (request.json['messages'] as SentMessage[]).some(({ role }) => role === 'tool');
      if (hasResult) return stream(text('3'), done('stop', { prompt_eval_count: 5, eval_count: 1 }))(request);
      const name = declared!.function.name;
      const first = line({ content: '', thinking: 'Two sums.' });
      return stream(first, calls(call(name, { x: 1 }), call(name, { x: 2 }, 'call_7')), done('stop', { eval_count: 9 }))(request);
    });
    let made = 0;
    const model = ollama({ modelName: 'm', fetch: server.fetch, idGenerator: () => `made-${++made}` });
    const executed: unknown[] = [];
    const add = tool({ name: odd, parameters: z.object({ x: z.number() }), execute: ({ x }) => (executed.push(x), x + 1) });
    const service = aiService({
      model,
      tools: [add],
      chatRequestTransformer: (request) => ({ ...request, messages: detour(request.messages) }),
    });
    return { result: await lastOf(service.result('Go')), executed, server };
  }

  it('[G57] runs the calls and sends them back with their results, whatever the tool is called', async () => {
    const { result, executed, server } = await toolLoop();
    expect(executed).toEqual([1, 2]);
    expect(result).toMatchObject({ content: '3', finishReason: 'stop', tokenUsage: { inputTokens: 5, outputTokens: 10 } });
    expect(result.toolExecutions.map(({ request }) => request.name)).toEqual([odd, odd]);
    const name = expect.stringMatching(/^add_numbers_[a-zA-Z0-9_]+$/) as unknown as string;
    expect(server.requests[1]!.json['messages']).toEqual([
      { role: 'user', content: 'Go' },
      {
        role: 'assistant',
        content: '',
        thinking: 'Two sums.',
        tool_calls: [
          { id: 'made-1', function: { index: 0, name, arguments: { x: 1 } } },
          { id: 'call_7', function: { index: 1, name, arguments: { x: 2 } } },
        ],
      },
      { role: 'tool', content: '2', tool_name: name, tool_call_id: 'made-1' },
      { role: 'tool', content: '3', tool_name: name, tool_call_id: 'call_7' },
    ]);
  });

  it('[G46] sends the same bytes when the history took the way through JSON', async () => {
    const straight = await toolLoop();
    const detoured = await toolLoop((messages) => JSON.parse(JSON.stringify(messages)) as ChatMessage[]);
    expect(detoured.server.requests.map(({ body }) => body)).toEqual(straight.server.requests.map(({ body }) => body));
  });
});
