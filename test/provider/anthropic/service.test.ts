import { NEVER, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { messageWindowMemory } from '../../../src/memory/message-window-memory.ts';
import { anthropic } from '../../../src/provider/anthropic/anthropic.ts';
import { aiService } from '../../../src/service/ai-service.ts';
import { tool } from '../../../src/tool/tool.ts';
import { fakeServer, type FakeAnswer, type SentRequest } from '../fake-server.ts';
import { lastOf } from '../last-of.ts';
import { block, call, inputDelta, said, stream, text, textDelta, thinking } from './turns.ts';

const done = stream(...said('end_turn', text(0, 'Done.')));
const spoken = (text: string) => ({ type: 'text', text });

interface Sent {
  readonly role: string;
  readonly content: readonly Readonly<Record<string, unknown>>[];
}
const messagesOf = ({ json }: SentRequest) => json['messages'] as readonly Sent[];

const modelOver = (...answers: readonly FakeAnswer[]) => {
  const server = fakeServer(...answers);
  return { server, model: anthropic({ modelName: 'claude-x', fetch: server.fetch, maxRetries: 0 }) };
};

/** The API refuses a request in which a call has not its result at once, before any text. */
function expectAccepted(messages: readonly Sent[]): void {
  messages.forEach(({ role, content }, place) => {
    expect(role).toBe(place % 2 === 0 ? 'user' : 'assistant');
    expect(content.length).toBeGreaterThan(0);
    for (const { type, text } of content) if (type === 'text') expect((text as string).trim()).not.toBe('');
    const ids = content.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
    const results = messages[place + 1]?.content.slice(0, ids.length).map((result) => result['tool_use_id']);
    if (ids.length > 0) expect(results).toEqual(ids);
  });
}

describe('a service over the Messages wire', () => {
  it('[G49] sends thinking, text and calls back as they came, and all results in one message behind them', async () => {
    const turn = said(
      'tool_use',
      thinking(0, 'Need both.', 'SIG'),
      text(1, 'One moment.'),
      call(2, 'a', 'weather', '{"city":"Oslo"}'),
      call(3, 'b', 'weather', '{"city":"Rome"}'),
    );
    const { server, model } = modelOver(stream(...turn), done);
    const weather = tool({
      name: 'weather',
      parameters: z.object({ city: z.string() }),
      execute: ({ city }) => `rain in ${city}`,
    });
    const { content } = await lastOf(aiService({ model, tools: [weather] }).result('Go'));
    expect(content).toBe('Done.');
    expect(messagesOf(server.requests[1]!)).toEqual([
      { role: 'user', content: [spoken('Go')] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Need both.', signature: 'SIG' },
          spoken('One moment.'),
          { type: 'tool_use', id: 'a', name: 'weather', input: { city: 'Oslo' } },
          { type: 'tool_use', id: 'b', name: 'weather', input: { city: 'Rome' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'rain in Oslo' },
          { type: 'tool_result', tool_use_id: 'b', content: 'rain in Rome' },
        ],
      },
    ]);
  });

  it('[G13] tells whatever a tool returns, be it nothing', async () => {
    const values = [undefined, null, '', [], 0, false];
    const turn = said('tool_use', ...values.map((_, index) => call(index, `id${index}`, 'pick', `{"index":${index}}`)));
    const { server, model } = modelOver(stream(...turn), done);
    const pick = tool({
      name: 'pick',
      parameters: z.object({ index: z.number() }),
      execute: ({ index }): unknown => values[index],
    });
    await lastOf(aiService({ model, tools: [pick] }).result('Go'));
    const results = messagesOf(server.requests[1]!)[2]!.content;
    expect(results.map(({ type, content, is_error }) => [type, content, is_error])).toEqual(
      ['Success', 'null', undefined, '[]', '0', 'false'].map((content) => ['tool_result', content, undefined]),
    );
  });

  it('[G24] has a history that the API takes after a tool was given up', async () => {
    const { server, model } = modelOver(
      stream(
        ...said('tool_use', thinking(0, 'Hm.', 'SIG'), text(1, ' '), call(2, 'a', 'quick', '{}'), call(3, 'b', 'slow', '{}')),
      ),
      done,
    );
    const chatMemory = messageWindowMemory({ maxMessages: 20 });
    const tools = [tool({ name: 'quick', execute: () => 'ok' }), tool({ name: 'slow', execute: () => NEVER })];
    const service = aiService({ model, tools, chatMemory });
    await new Promise<void>((resolve, reject) => {
      const running = service.stream('Go').subscribe({
        next: (event) => {
          if (event.type !== 'beforeToolExecution' || event.request.name !== 'slow') return;
          queueMicrotask(() => {
            running.unsubscribe();
            resolve();
          });
        },
        error: reject,
      });
    });
    await lastOf(service.result('And now?'));
    const sent = messagesOf(server.requests[1]!);
    expectAccepted(sent);
    expect(sent.at(-1)!.content.at(-1)).toEqual(spoken('And now?'));
    expect(sent[1]!.content[0]).toEqual({ type: 'thinking', thinking: 'Hm.', signature: 'SIG' });
    expect(JSON.stringify(sent)).toContain('Tool execution did not complete.');
  });

  it('keeps nothing of a turn that the limit has cut but what the API takes', async () => {
    const cut = said('max_tokens', thinking(0, 'Hm.', 'SIG'), text(1, 'Making it.'), call(2, 'a', 'save', '{"name":"tax'));
    const { server, model } = modelOver(stream(...cut), done);
    const chatMemory = messageWindowMemory({ maxMessages: 20 });
    const service = aiService({ model, chatMemory, tools: [tool({ name: 'save', execute: () => 'saved' })] });
    expect((await lastOf(service.result('Go'))).finishReason).toBe('length');
    await lastOf(service.result('Go on'));
    const sent = messagesOf(server.requests[1]!);
    expectAccepted(sent);
    expect(sent[1]!.content).toEqual([spoken('Making it.')]);
  });

  it('tells the model of arguments that are no JSON, with what it wrote', async () => {
    const broken = '{"text": "she said "hi""}';
    const { server, model } = modelOver(stream(...said('tool_use', call(0, 'a', 'echo', broken))), done);
    const echo = tool({ name: 'echo', parameters: z.object({ text: z.string() }), execute: ({ text: said }) => said });
    await lastOf(
      aiService({ model, tools: [echo] })
        .stream('Go')
        .pipe(toArray()),
    );
    const [, assistant, results] = messagesOf(server.requests[1]!);
    expect(assistant!.content).toEqual([{ type: 'tool_use', id: 'a', name: 'echo', input: { INVALID_JSON: broken } }]);
    expect(results!.content[0]).toMatchObject({ tool_use_id: 'a', is_error: true });
  });

  it('sends back what the server’s own tools did, between what the model said', async () => {
    const search = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} };
    const found = { type: 'web_search_tool_result', tool_use_id: 's', content: [{ encrypted_content: 'X' }] };
    const turn = said(
      'tool_use',
      block(0, search, inputDelta('{"query":"rain"}')),
      block(1, found),
      block(2, { type: 'text', text: '' }, textDelta('I note it.')),
      call(3, 'a', 'note', '{}'),
    );
    const { server, model } = modelOver(stream(...turn), done);
    await lastOf(aiService({ model, tools: [tool({ name: 'note', execute: () => 'noted' })] }).result('Go'));
    expect(messagesOf(server.requests[1]!)[1]!.content).toEqual([
      { ...search, input: { query: 'rain' } },
      found,
      spoken('I note it.'),
      { type: 'tool_use', id: 'a', name: 'note', input: {} },
    ]);
  });
});
