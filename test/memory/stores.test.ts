import { defer, delay, map, of, retry, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../../src/chat/message.ts';
import { fromTask } from '../../src/chat/value.ts';
import type { ChatMemory, ChatMemoryStore } from '../../src/memory/chat-memory.ts';
import { messageWindowMemory } from '../../src/memory/message-window-memory.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { watch } from '../chat/watch.ts';
import { outline, play } from '../service/support.ts';
import { answer, user } from './histories.ts';

/** A store that keeps all it is told, and what it was asked. */
function store(initial: readonly ChatMessage[] = []) {
  const held = new Map<unknown, readonly ChatMessage[]>([['default', initial]]);
  const log: string[] = [];
  const made: ChatMemoryStore = {
    getMessages: (id) => (log.push(`get ${String(id)}`), held.get(id) ?? []),
    updateMessages: (id, messages) => (log.push(`update ${String(id)}`), void held.set(id, messages)),
    deleteMessages: (id) => (log.push(`delete ${String(id)}`), void held.delete(id)),
  };
  return { made, log, held, history: (id: unknown = 'default') => outline(held.get(id) ?? []) };
}

const over = (made: ChatMemoryStore, id?: unknown): ChatMemory =>
  messageWindowMemory({ maxMessages: 100, store: made, ...(id !== undefined && { id }) });
const tools = () => [scriptedTool('a', '-r|')];

describe("a store of one's own", () => {
  it('holds the messages under the id of the memory', () => {
    const { made, history } = store();
    play({ rounds: ['A|', 'z|'], tools: tools(), chatMemory: over(made, 'user-7') });
    play({ rounds: ['y|'], chatMemory: over(made, 'ben') });
    expect(history('user-7')).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'assistant: z']);
    expect(history('ben')).toEqual(['user: hello', 'assistant: y']);
  });

  it('is written in units: the question with the call and its results, then the answer', () => {
    const { made, log } = store();
    play({ rounds: ['(AA)|', 'z|'], tools: tools(), chatMemory: over(made), idGenerator: () => 'g' });
    expect(log.filter((line) => line.startsWith('update'))).toHaveLength(2);
  });

  it('is emptied by clear', () => {
    const { made, log, history } = store([user('q')]);
    const memory = over(made);
    watch(fromTask(() => memory.clear()));
    expect(log).toEqual(['delete default']);
    expect(history()).toEqual([]);
  });

  it('may be new, and return nothing', () => {
    for (const nothing of [undefined, null]) {
      const { made, history } = store();
      expect(play({ rounds: ['z|'], chatMemory: over({ ...made, getMessages: () => nothing as never }) }).marbles).toBe('z($|)');
      expect(history()).toEqual(['user: hello', 'assistant: z']);
    }
  });
});

describe('a slow store', () => {
  it('[S77] may answer by Observables: the model is asked when the history is there, and the answer goes out when it is written', () => {
    const { made, history } = store([user('q'), answer('a')]);
    const slow: ChatMemoryStore = {
      getMessages: (id) => of(made.getMessages(id) as readonly ChatMessage[]).pipe(delay(3)),
      updateMessages: (id, messages) => defer(() => of(made.updateMessages(id, messages) as void)).pipe(delay(2)),
      deleteMessages: (id) => made.deleteMessages(id),
    };
    const { marbles, model } = play({ rounds: ['-z|'], chatMemory: over(slow) });
    // 3 to read, 1 to z, 1 to the end of the answer, 3 to read again before adding, 2 to write.
    expect(marbles).toBe('----z-----($|)');
    expect(model.subscriptions()).toEqual(['---^-!']);
    expect(history()).toEqual(['user: q', 'assistant: a', 'user: hello', 'assistant: z']);
  });

  it('is written to the end when the consumer leaves during the write', () => {
    const { made, history } = store();
    const slow: ChatMemoryStore = {
      ...made,
      updateMessages: (id, messages) => timer(5).pipe(map(() => made.updateMessages(id, messages) as void)),
    };
    const { firedTypes } = play({ rounds: ['-z|'], chatMemory: over(slow), subscription: '^---!' });
    expect(firedTypes.at(-1)).toBe('cancelled');
    expect(history()).toEqual(['user: hello', 'assistant: z']);
  });

  it('may answer by promises', async () => {
    const { made, history } = store([user('q'), answer('a')]);
    const chatMemory = over({
      getMessages: (id) => Promise.resolve(made.getMessages(id) as readonly ChatMessage[]),
      updateMessages: (id, messages) => Promise.resolve(made.updateMessages(id, messages) as void),
      deleteMessages: (id) => Promise.resolve(made.deleteMessages(id) as void),
    });
    const service = aiService({ model: scriptedModel(['A|', 'z|']), tools: [scriptedTool('a', 'r|')], chatMemory });
    await new Promise<void>((complete, error) => service.stream('hello').subscribe({ complete, error }));
    expect(history()).toEqual(['user: q', 'assistant: a', 'user: hello', 'assistant: [A]', 'A: r', 'assistant: z']);
  });
});

describe('a store that fails', () => {
  const failure = new Error('no database');
  const fail = () => {
    throw failure;
  };

  it('on reading ends the invocation before the model is asked; the next try goes on', () => {
    const { made, history } = store();
    let attempts = 0;
    const chatMemory = over({ ...made, getMessages: (id) => (++attempts === 1 ? fail() : made.getMessages(id)) });
    const first = play({ rounds: [], chatMemory });
    expect(first.error).toBe(failure);
    expect(first.model.requests).toEqual([]);
    expect(first.firedTypes).toEqual(['started', 'error']);
    expect(play({ rounds: ['z|'], chatMemory }).marbles).toBe('z($|)');
    expect(history()).toEqual(['user: hello', 'assistant: z']);
  });

  it('on writing the answer ends the invocation before the final response; a retry writes it once and asks the model no more', () => {
    const { made, history, log } = store();
    let attempts = 0;
    const flaky = {
      ...made,
      updateMessages: (id: unknown, messages: readonly ChatMessage[]) =>
        ++attempts === 1 ? fail() : made.updateMessages(id, messages),
    };
    expect(play({ rounds: ['-z|'], chatMemory: over({ ...made, updateMessages: fail }) })).toMatchObject({
      marbles: '-z#',
      error: failure,
    });
    log.length = 0;
    const { marbles, model, firedTypes } = play({ rounds: ['-z|'], chatMemory: over(flaky), pipe: retry(1) });
    expect(marbles).toBe('-z($|)');
    expect(model.requests).toHaveLength(1);
    expect(history()).toEqual(['user: hello', 'assistant: z']);
    expect(log.filter((line) => line.startsWith('update'))).toHaveLength(1);
    expect(firedTypes).toEqual(['started', 'requestIssued', 'responseReceived', 'error', 'completed']);
  });

  it('on writing a tool round loses nothing: a retry writes it, and never runs the tool again', () => {
    const { made, history } = store();
    let attempts = 0;
    const flaky = over({
      ...made,
      updateMessages: (id, messages) => (++attempts === 1 ? fail() : made.updateMessages(id, messages)),
    });
    const [a] = tools();
    const { marbles, model } = play({ rounds: ['A|', 'z|'], tools: [a!], chatMemory: flaky, pipe: retry(1) });
    expect(marbles).toBe('(A<a)(*a%)(>az)($|)');
    expect(a!.subscriptions()).toEqual(['^-!']);
    expect(outline(model.requests[1]!.messages)).toEqual(['user: hello', 'assistant: [A]', 'A: r']);
    expect(history()).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'assistant: z']);
  });

  it('on writing after a model failure is logged, and the error of the model is what counts', () => {
    const { made } = store();
    const broken = new Error('model broke');
    const { error, logs } = play({
      rounds: [{ marbles: 'A-#', error: broken }],
      tools: tools(),
      chatMemory: over({ ...made, updateMessages: fail }),
    });
    expect(error).toBe(broken);
    expect(logs.map(([level, , logged]) => [level, logged])).toEqual([['error', failure]]);
  });

  it.each<[what: string, garbage: unknown]>([
    ['text', '[]'],
    ['an object', { messages: [] }],
    ['a number', 5],
    ['a list of texts', ['hello']],
    ['messages of another shape', [{ type: 'human', text: 'hello' }]],
    ['a list with a hole', [null]],
  ])('by returning garbage ends the invocation with an error that names the memory: %s', (_, garbage) => {
    const { made } = store();
    const { error, model } = play({ rounds: [], chatMemory: over({ ...made, getMessages: () => garbage as never }, 'user-7') });
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toContain('user-7');
    expect(model.requests).toEqual([]);
  });

  it.each<[what: string, garbage: unknown]>([
    ['an answer without its list of calls', { role: 'assistant', text: 'hi' }],
    ['a user message as another library has it', { role: 'user', content: 'hi' }],
  ])('by returning messages that are only half ours says so as well: %s', (_, garbage) => {
    const { made } = store();
    const { error } = play({ rounds: ['z|'], chatMemory: over({ ...made, getMessages: () => [garbage] as never }, 'user-7') });
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toContain('user-7');
  });
});
