import { Observable, delay, first, map, of, retry, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ChatModel, ChatModelEvent } from '../../src/chat/chat-model.ts';
import { ChatModelError } from '../../src/chat/chat-model-error.ts';
import type { ChatMessage } from '../../src/chat/message.ts';
import type { ChatMemoryStore } from '../../src/memory/chat-memory.ts';
import { ChatMemoryBusyError } from '../../src/memory/in-turn.ts';
import { messageWindowMemory } from '../../src/memory/message-window-memory.ts';
import { aiService, type AiService } from '../../src/service/ai-service.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { tool } from '../../src/tool/tool.ts';
import { expectValid, kept, outline, roomyMemory } from './support.ts';

/** A model that answers with these events, whatever they are. */
const modelOf = (...events: unknown[]): ChatModel => ({ provider: 'odd', chat: () => of(...(events as ChatModelEvent[])) });

const call = (index: unknown, id: string) => ({ type: 'completeToolCall', index, request: { id, name: 'a', arguments: '{}' } });
const answer = (...ids: string[]) => ({
  type: 'completeResponse',
  response: {
    aiMessage: { role: 'assistant', text: 'x', toolExecutionRequests: ids.map((id) => ({ id, name: 'a', arguments: '{}' })) },
  },
});

describe('leaving', () => {
  it('in the callback of an intermediate response writes the round once', () => {
    const memory = roomyMemory();
    const a = tool({ name: 'a', execute: () => 'r' });
    const service = aiService({ model: modelOf(call(0, 'c'), answer('c')), tools: [a], chatMemory: memory });
    service
      .stream('hi')
      .pipe(first(({ type }) => type === 'intermediateResponse'))
      .subscribe();
    expect(kept(memory).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expectValid(kept(memory));
  });

  it('in a listener of a tool event keeps the finished round, also while another invocation waits', () => {
    let stored: readonly ChatMessage[] = [];
    const store: ChatMemoryStore = {
      getMessages: () => of(stored).pipe(delay(5)),
      updateMessages: (_, messages) => timer(5).pipe(map(() => void (stored = messages))),
      deleteMessages: () => undefined,
    };
    runMarbles(({ expectEvents }) => {
      const controller = new AbortController();
      const service = aiService({
        model: scriptedModel(['-A|', '-z|']),
        tools: [scriptedTool('a', '--r|')],
        chatMemory: messageWindowMemory({ maxMessages: 20, store }),
        listeners: [
          ({ type }) => {
            if (type === 'toolExecuted') controller.abort();
          },
        ],
      });
      expectEvents(service.stream('one', { signal: controller.signal }));
      expectEvents(service.stream('two'));
    });
    expect(outline(stored)).toEqual(['user: one', 'assistant: [A]', 'A: r', 'user: two', 'assistant: z']);
  });
});

describe('a tool limit of one', () => {
  it('does not overflow the stack with thousands of synchronous tools', () => {
    runMarbles(({ record }) => {
      const ids = Array.from({ length: 3000 }, (_, i) => `c${i}`);
      let runs = 0;
      const a = tool({ name: 'a', execute: () => (runs++ === 0 ? timer(5) : 'r') });
      const rounds = [modelOf(answer(...ids)), modelOf(answer())];
      const model: ChatModel = { provider: 'odd', chat: (request) => rounds.shift()!.chat(request) };
      record(aiService({ model, tools: [a], toolConcurrency: 1 }).result('go'), ({ content }) => content!).toBe('-----(x|)');
    });
  });
});

describe('a model that keeps to no rule', () => {
  it.each([
    ['no event', [undefined]],
    ['a response without a response', [{ type: 'completeResponse' }]],
    ['a response without a message', [{ type: 'completeResponse', response: {} }]],
    ['a call without a request', [{ type: 'completeToolCall', index: 0 }, answer()]],
    ['two calls at one place', [call(0, 'c'), call(0, 'd'), answer('c', 'd')]],
  ])('fails the invocation with a ChatModelError: %s', (_, events) => {
    const a = tool({ name: 'a', execute: () => 'r' });
    let failure: unknown;
    aiService({ model: modelOf(...events), tools: [a] })
      .result('x')
      .subscribe({ error: (error: unknown) => (failure = error) });
    expect(failure).toBeInstanceOf(ChatModelError);
    expect(failure).toMatchObject({ kind: 'malformedResponse' });
  });

  it.each([1, -1, Number.NaN, undefined])('runs a call once that it tells at the place %s', (index) => {
    let runs = 0;
    const a = tool({ name: 'a', execute: () => ++runs });
    const rounds = [modelOf(call(index, 'c'), answer('c')), modelOf(answer())];
    aiService({ model: { provider: 'odd', chat: (request) => rounds.shift()!.chat(request) }, tools: [a] })
      .result('x')
      .subscribe();
    expect(runs).toBe(1);
  });

  it('is not asked when a listener has cancelled the request', () => {
    const controller = new AbortController();
    const model = scriptedModel(['z|']);
    const service = aiService({
      model,
      listeners: [
        ({ type }) => {
          if (type === 'requestIssued') controller.abort();
        },
      ],
    });
    service.text('x', { signal: controller.signal }).subscribe({ error: () => undefined });
    expect(model.requests).toEqual([]);
  });
});

describe('a model interceptor', () => {
  it('that calls its own service on the same memory is told so and does not wait for itself', () => {
    let failure: unknown;
    const service: AiService = aiService({
      model: scriptedModel(['(z|)']),
      chatMemory: roomyMemory(),
      interceptors: {
        model: [
          () =>
            new Observable((subscriber) =>
              service.result('inner').subscribe({ error: (error: unknown) => subscriber.error(error) }),
            ),
        ],
      },
    });
    service.result('outer').subscribe({ error: (error: unknown) => (failure = error) });
    expect(failure).toBeInstanceOf(ChatMemoryBusyError);
  });
});

describe('a system message', () => {
  it('that is no text fails the invocation before it could spoil the memory', () => {
    const memory = roomyMemory();
    let failure: unknown;
    const service = aiService({ model: scriptedModel(['z|']), chatMemory: memory, systemMessage: () => 42 as unknown as string });
    service.result('x').subscribe({ error: (error: unknown) => (failure = error) });
    expect(String(failure)).toContain('what systemMessage returned is 42');
    expect(kept(memory)).toEqual([]);
  });
});

describe('a memory whose window hands out copies', () => {
  it('keeps the question in every request', () => {
    const memory = { ...roomyMemory(), fit: (messages: unknown) => structuredClone(messages) as never };
    const model = scriptedModel(['(A|)', '(A|)', '(A|)', '(z|)']);
    aiService({ model, tools: [tool({ name: 'a', execute: () => 'r' })], chatMemory: memory })
      .result('x')
      .subscribe();
    expect(model.requests.map(({ messages }) => messages[0]?.role)).toEqual(['user', 'user', 'user', 'user']);
    expect(outline(kept(memory)).length).toBeGreaterThan(0);
  });
});

describe('two subscribers of one call without memory', () => {
  it('each go on with an invocation that failed, and run no finished tool again', () => {
    let runs = 0;
    runMarbles(({ record }) => {
      const a = tool({ name: 'a', execute: () => ++runs });
      const model = scriptedModel(['-A|', '-A|', '-#', '-#', '-z|', '-z|']);
      const text$ = aiService({ model, tools: [a] })
        .text('x')
        .pipe(retry({ delay: () => timer(3) }));
      record(text$);
      record(text$);
    });
    expect(runs).toBe(2);
  });
});
