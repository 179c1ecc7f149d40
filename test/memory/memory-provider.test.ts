import { describe, expect, it, vi } from 'vitest';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import type { ChatMemory, ChatMemoryStore } from '../../src/memory/chat-memory.ts';
import { messageWindowMemory } from '../../src/memory/message-window-memory.ts';
import { aiService, type AiService } from '../../src/service/ai-service.ts';
import type { AiServiceOptions } from '../../src/service/options.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { watch } from '../chat/watch.ts';
import { kept, outline, roomyMemory } from '../service/support.ts';

const provider = () => vi.fn((id: unknown): ChatMemory => messageWindowMemory({ maxMessages: 100, id }));

function serviceWith(options: Omit<AiServiceOptions, 'model'>, rounds: readonly string[] = ['a|', 'b|', 'c|', 'd|']) {
  const model = scriptedModel(rounds);
  return { model, service: aiService({ model, ...options }) };
}

/** Runs an invocation at once: the answers of these models take no time. */
const ask = (service: AiService, input: string, memoryId?: unknown) =>
  watch(service.stream(input, memoryId === undefined ? {} : { memoryId }));

describe('[S173] a memory for each id', () => {
  it('is asked for once per id, and kept', () => {
    const chatMemoryProvider = provider();
    const { service } = serviceWith({ chatMemoryProvider }, ['(a|)', '(b|)', '(c|)']);
    for (const [input, id] of [
      ['q1', 'ann'],
      ['q2', 'ben'],
      ['q3', 'ann'],
    ] as const)
      expect(ask(service, input, id).end).toBe('complete');
    expect(chatMemoryProvider.mock.calls).toEqual([['ann'], ['ben']]);
    expect(outline(kept(service.chatMemory('ann')))).toEqual(['user: q1', 'assistant: a', 'user: q3', 'assistant: c']);
    expect(outline(kept(service.chatMemory('ben')))).toEqual(['user: q2', 'assistant: b']);
  });

  it('keeps conversations apart: the model sees only its own', () => {
    const { service, model } = serviceWith({ chatMemoryProvider: provider() }, ['(a|)', '(b|)', '(c|)']);
    ask(service, 'my name is Ann', 1);
    ask(service, 'who am I?', 2);
    ask(service, 'who am I?', 1);
    expect(model.requests.map(({ messages }) => outline(messages))).toEqual([
      ['user: my name is Ann'],
      ['user: who am I?'],
      ['user: my name is Ann', 'assistant: a', 'user: who am I?'],
    ]);
  });

  it("is that of 'default' where the caller names none", () => {
    const chatMemoryProvider = provider();
    const { service } = serviceWith({ chatMemoryProvider }, ['(a|)', '(b|)']);
    ask(service, 'q1');
    expect(watch(service.stream('q2', { memoryId: null })).end).toBe('complete');
    expect(chatMemoryProvider.mock.calls).toEqual([['default']]);
    expect(service.chatMemory()).toBe(service.chatMemory('default'));
  });

  it('takes ids of any kind, also an object or 0', () => {
    const chatMemoryProvider = provider();
    const { service } = serviceWith({ chatMemoryProvider });
    const key = { user: 1 };
    for (const id of [0, key, 0, key, '0']) service.chatMemory(id);
    expect(chatMemoryProvider.mock.calls).toEqual([[0], [key], ['0']]);
  });

  it('is one, also for invocations that run at the same time', () => {
    const chatMemoryProvider = provider();
    const { service } = serviceWith({ chatMemoryProvider });
    const running = [ask(service, 'q1', 'ann'), ask(service, 'q2', 'ann'), ask(service, 'q3')];
    expect(chatMemoryProvider.mock.calls).toEqual([['ann'], ['default']]);
    running.forEach(({ subscription }) => subscription.unsubscribe());
  });

  it('is asked for when an invocation starts, not before', () => {
    const chatMemoryProvider = provider();
    const { service } = serviceWith({ chatMemoryProvider });
    const invocation = service.stream('q', { memoryId: 'ann' });
    expect(chatMemoryProvider).not.toHaveBeenCalled();
    watch(invocation).subscription.unsubscribe();
    expect(chatMemoryProvider).toHaveBeenCalledOnce();
  });

  it('is told to tools, and on every event', () => {
    const tool = scriptedTool('a', '(r|)');
    const seen: unknown[] = [];
    const { service } = serviceWith(
      { chatMemoryProvider: provider(), tools: [tool], listeners: [({ invocation }) => seen.push(invocation.memoryId)] },
      ['(A|)', '(z|)'],
    );
    expect(ask(service, 'q', 7).end).toBe('complete');
    expect(tool.contexts[0]!.memoryId).toBe(7);
    expect(new Set(seen)).toEqual(new Set([7]));
  });

  it('is forgotten by evictChatMemory, and asked for again; the store is not touched', () => {
    const deleted = vi.fn();
    const held = new Map<unknown, readonly unknown[]>();
    const store: ChatMemoryStore = {
      getMessages: (id) => (held.get(id) ?? []) as never,
      updateMessages: (id, messages) => void held.set(id, messages),
      deleteMessages: deleted,
    };
    const chatMemoryProvider = vi.fn((id: unknown) => messageWindowMemory({ maxMessages: 100, id, store }));
    const { service } = serviceWith({ chatMemoryProvider }, ['(a|)', '(b|)']);
    ask(service, 'q1', 'ann');
    const before = service.chatMemory('ann');
    service.evictChatMemory('ann');
    expect(service.chatMemory('ann')).not.toBe(before);
    expect(chatMemoryProvider).toHaveBeenCalledTimes(2);
    expect(deleted).not.toHaveBeenCalled();
    ask(service, 'q2', 'ann');
    expect(outline(kept(service.chatMemory('ann')))).toEqual(['user: q1', 'assistant: a', 'user: q2', 'assistant: b']);
    service.evictChatMemory('nobody');
    expect(chatMemoryProvider).toHaveBeenCalledTimes(2);
  });
});

describe('[S173] what can not be a memory', () => {
  it.each(['', '  \n'])('a blank id (%j) arrives as an error, and asks for no memory', (memoryId) => {
    const chatMemoryProvider = provider();
    const { service, model } = serviceWith({ chatMemoryProvider });
    const { error } = watch(service.stream('q', { memoryId }));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as Error).message).toContain('memoryId');
    expect(() => service.chatMemory(memoryId)).toThrow(ConfigurationError);
    expect(chatMemoryProvider).not.toHaveBeenCalled();
    expect(model.requests).toEqual([]);
  });

  it('an id beside the one chatMemory of a service is an error that names chatMemoryProvider', () => {
    const chatMemory = roomyMemory();
    const { service } = serviceWith({ chatMemory }, ['(a|)']);
    const { error } = watch(service.stream('q', { memoryId: 'ann' }));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as Error).message).toMatch(/"ann".*chatMemoryProvider/s);
    expect(kept(chatMemory)).toEqual([]);
    expect(ask(service, 'q').end).toBe('complete');
    expect(service.chatMemory()).toBe(chatMemory);
  });

  it('an id for a service without memory is for its tools alone', () => {
    const { service } = serviceWith({}, ['(a|)']);
    expect(ask(service, 'q', 'ann').end).toBe('complete');
    expect(service.chatMemory('ann')).toBeUndefined();
    expect(service.chatMemory()).toBeUndefined();
  });

  it.each([undefined, null, {}, 'memory', Promise.resolve(roomyMemory())])(
    'a provider that returns %j fails the invocation, which says what it must be',
    (returned) => {
      const { service } = serviceWith({ chatMemoryProvider: () => returned as never });
      const { error } = watch(service.stream('q', { memoryId: 'ann' }));
      expect(error).toBeInstanceOf(ConfigurationError);
      expect((error as Error).message).toMatch(/chatMemoryProvider.*"ann"/s);
    },
  );

  it('a provider that throws fails the invocation with its error, and is asked again', () => {
    const failure = new Error('no database');
    const chatMemoryProvider = vi.fn((): ChatMemory => {
      throw failure;
    });
    const { service } = serviceWith({ chatMemoryProvider });
    for (let i = 0; i < 2; i++) expect(ask(service, 'q', 'ann').error).toBe(failure);
    expect(chatMemoryProvider).toHaveBeenCalledTimes(2);
  });

  it.each<[what: string, options: object]>([
    ['both chatMemory and chatMemoryProvider', { chatMemory: roomyMemory(), chatMemoryProvider: provider() }],
    ['a chatMemory that is none', { chatMemory: { id: 1 } }],
    ['a chatMemoryProvider that is no function', { chatMemoryProvider: roomyMemory() }],
  ])('%s: a ConfigurationError from aiService', (_, options) => {
    expect(() => serviceWith(options)).toThrow(ConfigurationError);
  });
});
