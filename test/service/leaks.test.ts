import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { lastValueFrom, of, throwError, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ChatModel, ChatModelEvent } from '../../src/chat/chat-model.ts';
import { messageWindowMemory } from '../../src/memory/message-window-memory.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { tool } from '../../src/tool/tool.ts';
import { roomyMemory } from './support.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Two tools at first, then an answer. */
const model: ChatModel = {
  provider: 'injected',
  chat: ({ messages }): Observable<ChatModelEvent> => {
    const toolExecutionRequests =
      messages.at(-1)!.role === 'user' ? ['a', 'b'].map((name) => ({ id: name, name, arguments: '{}' })) : [];
    return of<ChatModelEvent[]>(
      { type: 'partialResponse', text: 't' },
      { type: 'completeResponse', response: { aiMessage: { role: 'assistant', text: 't', toolExecutionRequests } } },
    );
  },
};

const broken: ChatModel = { provider: 'broken', chat: () => throwError(() => new Error('lost')) };

const tools = ['a', 'b'].map((name) => tool({ name, execute: (_, { signal }) => of(signal.aborted) }));

function heapUsed(): number {
  // Twice: weak references and finalizers need a second round.
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** How many bytes an invocation leaves behind: what the last two thirds of many add to the heap, each by itself. */
function bytesLeft(invoke: () => void, count: number): number {
  const third = () => {
    for (let run = 0; run < count / 3; run++) invoke();
    return heapUsed();
  };
  const heaps = [third(), third(), third()] as const;
  // The compiler's own work adds to one or the other: a leak to both.
  return Math.min(heaps[1] - heaps[0], heaps[2] - heaps[1]) / (count / 3);
}

describe('10,000 invocations in one process', () => {
  const { signal } = new AbortController();
  const service = aiService({ model, tools });
  const withMemories = aiService({ model, tools, chatMemoryProvider: roomyMemory });
  let id = 0;
  const fail = (error: unknown) => {
    throw error;
  };

  const kinds: readonly (readonly [string, (onEnd: () => void) => void])[] = [
    ['streams with a shared signal', (complete) => service.stream('hello', { signal }).subscribe({ complete, error: fail })],
    ['results', (complete) => service.result('hello').subscribe({ complete, error: fail })],
    ['started ones', (complete) => service.start('hello', { signal }).text$.subscribe({ complete, error: fail })],
    ['failed ones', (error) => service.stream('hello', { signal, model: broken }).subscribe({ error })],
    [
      'ones with a memory each, evicted afterwards',
      (complete) => {
        const memoryId = `memory ${id++}`;
        withMemories.stream('hello', { memoryId }).subscribe({ complete, error: fail });
        withMemories.evictChatMemory(memoryId);
      },
    ],
  ];

  it.each(kinds)('leave nothing on the heap: %s', { timeout: 120_000 }, (_, ask) => {
    let ends = 0;
    const bytes = bytesLeft(() => ask(() => ends++), 10_002);
    expect(ends).toBe(10_002);
    // A leak of one small object an invocation would be more.
    expect(bytes).toBeLessThan(100);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('a memory that outlives its invocations', () => {
  it('keeps nothing of what happened in a service that was a tool, but for the call and its result', async () => {
    const made: WeakRef<object>[] = [];
    const make = () => {
      const value = { made: made.length };
      made.push(new WeakRef(value));
      return of(value);
    };
    const inner = aiService({ model, tools: ['a', 'b'].map((name) => tool({ name, execute: make })) });
    const chatMemory = messageWindowMemory({ maxMessages: 1000 });
    const plain = tool({ name: 'b', execute: () => of('r') });
    const outer = aiService({
      model,
      tools: [inner.asTool({ name: 'a', parameters: z.object({}) }), plain],
      chatMemory,
      compensateOnToolErrors: true,
    });
    for (let time = 0; time < 10; time++) await lastValueFrom(outer.result('hello'), { defaultValue: undefined });
    const kept = () => made.filter((value) => value.deref());
    // What a turn has looked at stays until its end, and the compiler may hold something for longer.
    for (let turn = 0; turn < 20 && kept().length > 0; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      heapUsed();
    }
    expect(chatMemory.messages()).toHaveLength(50);
    expect(made).toHaveLength(20);
    expect(kept()).toEqual([]);
  });
});
