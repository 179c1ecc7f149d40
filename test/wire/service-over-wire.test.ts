import { Observable, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openAiChat } from '../../src/provider/openai/open-ai-chat.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { toolExecutionErrorHandler } from '../../src/tool/error-handlers.ts';
import { tool } from '../../src/tool/tool.ts';
import { lastOf } from '../provider/last-of.ts';
import { fakeServer, refusal, type FakeAnswer } from '../provider/fake-server.ts';
import { stream } from '../provider/openai/answers.ts';
import { call, calls, delta, finish, text } from '../provider/openai/turns.ts';
import { bytesOf, fetchOf, wireCases } from './wire-case.ts';

const answer = stream(text('Done.'), finish('stop'), '[DONE]');

const wireCase = (name: string) => wireCases.find((each) => each.name === name)!;

/** Answers with a case of the wire. */
const answered = (name: string) => () => fetchOf(bytesOf(wireCase(name)), wireCase(name))('');

/** A service whose model answers so, one request after the other. */
function serviceOver(...answers: readonly FakeAnswer[]) {
  const executed: unknown[] = [];
  const server = fakeServer(...answers);
  const named = (name: string) =>
    tool({ name, parameters: z.looseObject({}), execute: (args) => (executed.push(args), `${name} ${JSON.stringify(args)}`) });
  const tools = ['get_campaign', 'write_file', 'get_weather', 'save', 'add'].map(named);
  const model = openAiChat({ modelName: 'm', fetch: server.fetch, maxRetries: 0 });
  const service = aiService({ model, tools, toolExecutionErrorHandler: toolExecutionErrorHandler.sendExceptionMessageToLlm() });
  return { server, executed, service, result: () => lastOf(service.result('Go')) };
}

const messagesOf = ({ json }: { json: Record<string, unknown> }) => json['messages'] as readonly Record<string, unknown>[];

describe('a service over the chat-completions wire', () => {
  it('[G1] runs the calls that were streamed, though the finish word is stop, and sends them back with their results in order', async () => {
    const { server, executed, result } = serviceOver(answered('chat-finish-stop-with-three-calls'), answer);
    expect((await result()).content).toBe('Done.');
    expect(executed).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }]);
    const wireCall = (n: number) => ({
      id: `call_c${n}`,
      type: 'function',
      function: { name: 'get_campaign', arguments: expect.stringMatching(new RegExp(`"n":\\s*${n}`)) as string },
    });
    expect(messagesOf(server.requests[1]!)).toEqual([
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: 'Let me pull up the campaigns. ', tool_calls: [wireCall(0), wireCall(1), wireCall(2)] },
      ...[0, 1, 2].map((n) => ({ role: 'tool', tool_call_id: `call_c${n}`, content: `get_campaign {"n":${n}}` })),
    ]);
  });

  it.each(['chat-cut-mid-arguments', 'chat-length-cuts-arguments'])(
    '[G11] runs no call whose arguments were cut: %s',
    async (name) => {
      const { executed, service } = serviceOver(answered(name), answer);
      await lastOf(service.stream('Go').pipe(toArray())).catch(() => undefined);
      expect(executed).toEqual([]);
    },
  );

  it('[G11] runs no call whose arguments parse, when an error comes before the turn is over', async () => {
    const { executed, result } = serviceOver(
      stream(calls(call(0, 'A', 'write_file', '{"path":"a.md"}')), { error: { message: 'overloaded' } }),
    );
    await expect(result()).rejects.toThrow('openai: overloaded');
    expect(executed).toEqual([]);
  });

  it('[G11] does not run arguments that are no JSON behind a word that hides the cut, and asks the model again', async () => {
    const { server, executed, result } = serviceOver(answered('chat-length-hidden-as-tool-calls'), answer);
    expect((await result()).content).toBe('Done.');
    expect(executed).toEqual([]);
    expect(messagesOf(server.requests[1]!).at(-1)).toMatchObject({
      role: 'tool',
      tool_call_id: 'call_l2',
      content: expect.stringContaining('not valid JSON') as string,
    });
  });

  it('never lets a key of the arguments reach a prototype', async () => {
    const { executed, result } = serviceOver(answered('chat-proto-in-arguments'), answer);
    await result();
    expect(executed).toEqual([{ name: 'x' }]);
    expect((executed[0] as { isAdmin?: unknown }).isAdmin).toBeUndefined();
    expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined();
  });

  it('[G48] sends the thinking of a tool turn back, which the API insists on', async () => {
    const { server, result } = serviceOver(answered('chat-reasoning-content-then-call'), answer);
    await result();
    expect(messagesOf(server.requests[1]!)[1]).toMatchObject({
      role: 'assistant',
      content: null,
      reasoning_content: 'The user asks for weather.',
    });
  });

  it('gives made-up ids to calls that came without, the same in call and result', async () => {
    const twoCalls = stream(
      delta({
        tool_calls: [
          { index: 0, function: { name: 'add', arguments: '{}' } },
          { index: 1, function: { name: 'add', arguments: '{}' } },
        ],
      }),
      finish('stop'),
      '[DONE]',
    );
    const { server, result } = serviceOver(twoCalls, answer);
    await result();
    const [, assistant, ...results] = messagesOf(server.requests[1]!);
    const ids = (assistant!['tool_calls'] as readonly { id: string }[]).map(({ id }) => id);
    expect(new Set(ids.filter(Boolean)).size).toBe(2);
    expect(results.map((message) => message['tool_call_id'])).toEqual(ids);
  });

  it('[G4] never sends a name back that the provider rejects, be it understood or not', async () => {
    const named = (id: string, name: string) => stream(calls(call(0, id, name, '{}')), finish('tool_calls'), '[DONE]');
    const server = fakeServer(named('A', 'add<|channel|>commentary'), named('B', 'no such/tool'), answer);
    const model = openAiChat({ modelName: 'm', fetch: server.fetch });
    const service = aiService({
      model,
      tools: [tool({ name: 'add', execute: () => 1 })],
      hallucinatedToolNameStrategy: ({ name }) => `There is no ${name}.`,
    });
    expect((await lastOf(service.result('Go'))).content).toBe('Done.');
    const messages = messagesOf(server.requests[2]!);
    const sent = messages.flatMap(
      ({ tool_calls }) => (tool_calls as readonly { function: { name: string } }[] | undefined) ?? [],
    );
    expect(sent).toHaveLength(2);
    for (const wireCall of sent) expect(wireCall.function.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(messages.filter(({ role }) => role === 'tool')).toEqual([
      { role: 'tool', tool_call_id: 'A', content: '1' },
      { role: 'tool', tool_call_id: 'B', content: 'There is no no such/tool.' },
    ]);
  });

  it('[G32] repeats no step when a later request fails before its output and is sent again', async () => {
    let charges = 0;
    const charge = tool({ name: 'charge', execute: () => ++charges });
    const step = (id: string) =>
      stream(
        calls(call(0, id, 'charge', '{}')),
        finish('tool_calls'),
        { usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } },
        '[DONE]',
      );
    const server = fakeServer(step('A'), step('B'), refusal(500, 'Not now', { 'retry-after-ms': '1' }), answer);
    const { content, tokenUsage } = await lastOf(
      aiService({ model: openAiChat({ modelName: 'm', fetch: server.fetch }), tools: [charge] }).result('Go'),
    );
    expect(content).toBe('Done.');
    expect(charges).toBe(2);
    expect(server.requests).toHaveLength(4);
    expect(server.requests[3]!.body).toBe(server.requests[2]!.body);
    expect(messagesOf(server.requests[3]!).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool']);
    expect(tokenUsage).toEqual({ inputTokens: 2, outputTokens: 2, totalTokens: 4 });
  });

  it('starts a tool while the model still streams, when its call is complete', async () => {
    const order: string[] = [];
    const slow = tool({
      name: 'add',
      execute: () =>
        new Observable<string>((subscriber) => (order.push('tool started'), subscriber.next('1'), subscriber.complete())),
    });
    const server = fakeServer(stream(calls(call(0, 'A', 'add', '{}')), text('Meanwhile'), finish('stop'), '[DONE]'), answer);
    const service = aiService({ model: openAiChat({ modelName: 'm', fetch: server.fetch }), tools: [slow] });
    await service
      .stream('Go')
      .forEach((event) => event.round === 1 && event.type === 'partialResponse' && order.push(event.text));
    expect(order).toEqual(['tool started', 'Meanwhile']);
  });
});
