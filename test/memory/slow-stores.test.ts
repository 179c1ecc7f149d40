import { NEVER, TimeoutError, defer, finalize, map, retry, tap, timeout, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../../src/chat/message.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { LimitExceededError } from '../../src/service/service-errors.ts';
import type { AiServiceStreamingEvent } from '../../src/service/streaming-event.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { keptLogs, play } from '../service/support.ts';
import { failingFirst, faultyStore } from './faulty-store.ts';

const tools = () => [scriptedTool('a', 'r|')];

/** A store whose reads and writes take so many ms, and how many reads are under way. */
function slowStore(ms: { readonly read?: number; readonly write?: number }) {
  let reading = 0;
  const store = faultyStore([], ({ getMessages, updateMessages }) => ({
    getMessages: (id) =>
      ms.read === undefined
        ? getMessages(id)
        : defer(() => (reading++, timer(ms.read!))).pipe(
            map(() => getMessages(id) as readonly ChatMessage[]),
            finalize(() => reading--),
          ),
    updateMessages: (id, messages) => timer(ms.write ?? 0).pipe(map(() => updateMessages(id, messages) as void)),
  }));
  return { ...store, reading: () => reading };
}

describe('a store that is slow to read', () => {
  it('is given up with the invocation: no read is left running, and nothing comes after', () => {
    const { memory, reading, history } = slowStore({ read: 1000 });
    const { marbles, model, firedTypes } = play({
      rounds: [],
      chatMemory: memory(),
      subscription: '^--!',
      meanwhile: { 4: () => expect(reading()).toBe(0) },
    });
    expect(marbles).toBe('');
    expect(model.requests).toEqual([]);
    expect(firedTypes).toEqual(['started', 'cancelled']);
    expect(reading()).toBe(0);
    expect(history()).toEqual([]);
  });

  it('is bounded by limits.duration', () => {
    const { memory, reading } = slowStore({ read: 1000 });
    const meanwhile = { 6: () => expect(reading()).toBe(0) };
    const { marbles, error } = play({ rounds: [], chatMemory: memory(), limits: { duration: 5 }, meanwhile });
    expect(marbles).toBe('-----#');
    expect(error).toBeInstanceOf(LimitExceededError);
  });

  it('holds up no other conversation, and those on its own come in their order', () => {
    const stores = { ada: slowStore({ read: 3 }), ben: slowStore({}) };
    const model = scriptedModel(['-x|', '-y|', '-z|']);
    const chatMemoryProvider = (id: unknown) => stores[id as keyof typeof stores].memory(9, id);
    const service = aiService({ model, chatMemoryProvider, logger: keptLogs() });
    runMarbles(({ expectEvents }) => {
      expectEvents(service.stream('q1', { memoryId: 'ada' })).toBe('----y---($|)');
      expectEvents(service.stream('q2', { memoryId: 'ada' })).toBe('------------z---($|)');
      expectEvents(service.stream('q3', { memoryId: 'ben' })).toBe('-x($|)');
    });
    expect(stores.ada.history()).toEqual(['user: q1', 'assistant: y', 'user: q2', 'assistant: z']);
  });
});

describe('a store that is slow to write', () => {
  it('is waited for: the next round begins, and the answer goes out, when what was before is written', () => {
    const { memory, history } = slowStore({ write: 4 });
    const { marbles, model } = play({ rounds: ['-A|', '-z|'], tools: tools(), chatMemory: memory() });
    expect(marbles).toBe('-(A<a*a)(>a%)----z----($|)');
    expect(model.subscriptions()).toEqual(['^-!', '------^-!']);
    expect(history()).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'assistant: z']);
  });

  it('holds back no cancel, and has the write done: no half of a round is in it', () => {
    for (let frame = 3; frame < 8; frame++) {
      const { memory, history } = slowStore({ write: 4 });
      const subscription = `^${'-'.repeat(frame - 1)}!`;
      const { firedTypes, logs } = play({ rounds: ['-A|', '--z|'], tools: tools(), chatMemory: memory(), subscription });
      expect(firedTypes.at(-1)).toBe('cancelled');
      expect(history()).toEqual(['user: hello', 'assistant: [A]', 'A: r']);
      expect(logs).toEqual([]);
    }
  });
});

describe('a store that hangs', () => {
  it('holds the turn of its conversation, and of no other: whoever waits may leave', () => {
    const hanging = faultyStore([], () => ({ updateMessages: () => NEVER }));
    const model = scriptedModel(['-x|', '-z|']);
    const chatMemoryProvider = (id: unknown) => (id === 'ada' ? hanging : faultyStore()).memory(9, id);
    const service = aiService({ model, chatMemoryProvider, logger: keptLogs() });
    runMarbles(({ expectEvents }) => {
      expectEvents(service.stream('q1', { memoryId: 'ada' }), '^---!').toBe('-x');
      expectEvents(service.stream('q2', { memoryId: 'ada' }), '^-----!').toBe('');
      expectEvents(service.stream('q3', { memoryId: 'ben' }), '--^').toBe('---z($|)');
    });
    expect(model.requests).toHaveLength(2);
  });

  it('is ended by a timeout() in the store: the invocation fails with its error, and a retry writes what is not written', () => {
    let isHanging = true;
    const { memory, history } = faultyStore([], ({ updateMessages }) => ({
      updateMessages: (id, messages) =>
        defer(() => (isHanging ? NEVER : timer(1).pipe(tap(() => void updateMessages(id, messages))))).pipe(
          map(() => undefined),
          timeout(5),
        ),
    }));
    const errors: unknown[] = [];
    const pipe = retry<AiServiceStreamingEvent>({
      delay: (error: unknown) => {
        errors.push(error);
        isHanging = false;
        return timer(2);
      },
      count: 1,
    });
    const [a] = tools();
    const { marbles, model } = play({ rounds: ['-A|', '-z|'], tools: [a!], chatMemory: memory(), pipe });
    expect(errors).toEqual([expect.any(TimeoutError)]);
    expect(marbles).toBe('-(A<a*a)(>a%)-------z-($|)');
    expect(model.requests).toHaveLength(2);
    expect(a!.subscriptions()).toHaveLength(1);
    expect(history()).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'assistant: z']);
  });

  it('may be done with its write behind the timeout: it is not written twice', () => {
    const { memory, history } = faultyStore([], ({ updateMessages }) => {
      // The database goes on although nobody waits for it.
      const late = failingFirst(
        1,
        (id: unknown, messages: readonly ChatMessage[]) => void updateMessages(id, messages),
        new Error('timeout'),
        'after',
      );
      return { updateMessages: late };
    });
    play({ rounds: ['-z|'], chatMemory: memory(), pipe: retry({ delay: 9, count: 1 }) });
    expect(history()).toEqual(['user: hello', 'assistant: z']);
  });
});
