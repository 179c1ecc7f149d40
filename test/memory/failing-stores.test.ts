import { EMPTY, Observable, map, retry, throwError, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../../src/chat/message.ts';
import { fromTask, type Value } from '../../src/chat/value.ts';
import type { AiServiceStreamingEvent } from '../../src/service/streaming-event.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { watch } from '../chat/watch.ts';
import { keptLogs, outline, play } from '../service/support.ts';
import { undoLog } from '../service/undo-log.ts';
import { failingFirst, faultyStore } from './faulty-store.ts';
import { answer, system, unit, user } from './histories.ts';

const down = new Error('connection terminated unexpectedly');
const fails = (): never => {
  throw down;
};
const tools = () => [scriptedTool('a', '-r|')];
const retried = retry<AiServiceStreamingEvent>(1);
type Read = Value<readonly ChatMessage[]>;

describe('a store that can not be read', () => {
  it.each<[how: string, read: () => Read]>([
    ['throws', fails],
    ['errors', () => throwError(() => down)],
    ['errors in time', () => timer(3).pipe(map(fails))],
  ])('fails the invocation with its own error, before the model is asked, and is left as it is: it %s', (_, getMessages) => {
    const { memory, history } = faultyStore([user('q'), answer('a')], () => ({ getMessages }));
    const { error, model, fired } = play({ rounds: [], chatMemoryProvider: () => memory(), call: { memoryId: 'ada' } });
    expect(error).toBe(down);
    expect(model.requests).toEqual([]);
    expect(fired.map(({ type, invocation }) => [type, invocation.memoryId])).toEqual([
      ['started', 'ada'],
      ['error', 'ada'],
    ]);
    expect(history()).toEqual(['user: q', 'assistant: a']);
  });

  it('fails the invocation also by a promise that is rejected', async () => {
    const { memory } = faultyStore([], () => ({ getMessages: () => Promise.reject(down) }));
    const service = aiService({ model: scriptedModel([]), chatMemory: memory(), logger: keptLogs() });
    await expect(
      new Promise((resolve, error) => service.text('hello').subscribe({ complete: () => resolve(0), error })),
    ).rejects.toBe(down);
  });

  it.each([
    ['text', 'ECONNRESET', '"ECONNRESET"'],
    ['nothing', undefined, 'undefined'],
    ['an object', { code: 57014 }, '{"code":57014}'],
  ])('is told by its name when what it throws is no Error: %s', (_, thrown, told) => {
    const { memory } = faultyStore([], () => ({ getMessages: () => new Observable((subscriber) => subscriber.error(thrown)) }));
    const { error } = play({ rounds: [], chatMemory: memory() });
    expect(error).toEqual(new Error(`Chat memory "ada" failed with ${told}`));
    expect((error as Error).cause).toBe(thrown);
  });

  it('is an empty one where it returns nothing, or completes without a value', () => {
    for (const nothing of [undefined, null, EMPTY]) {
      const { memory, history } = faultyStore([], () => ({ getMessages: () => nothing as never }));
      expect(play({ rounds: ['z|'], chatMemory: memory() }).marbles).toBe('z($|)');
      expect(history()).toEqual(['user: hello', 'assistant: z']);
    }
  });

  it('is read once an invocation, and once a write: the first value of an Observable is what it holds', () => {
    const history$ = new Observable<readonly ChatMessage[]>((subscriber) => {
      subscriber.next([user('q'), answer('a')]);
      subscriber.next([user('later')]);
      throw down;
    });
    const { memory, history } = faultyStore([], () => ({ getMessages: () => history$ }));
    const { model } = play({ rounds: ['z|'], chatMemory: memory() });
    expect(outline(model.requests[0]!.messages)).toEqual(['user: q', 'assistant: a', 'user: hello']);
    expect(history()).toEqual(['user: q', 'assistant: a', 'user: hello', 'assistant: z']);
  });
});

describe('a store that can not be written', () => {
  it('leaves nothing unsaid: resume() writes what the memory lacks, asks no question twice and runs no tool again', () => {
    const { memory, history } = faultyStore([], ({ updateMessages }) => ({
      updateMessages: failingFirst(1, updateMessages, down),
    }));
    const [a] = tools();
    const model = scriptedModel(['A|', 'z|']);
    const service = aiService({ model, tools: [a!], chatMemory: memory(), logger: keptLogs() });
    const errors: unknown[] = [];
    runMarbles(({ at, expectEvents }) => {
      const first = service.start('hello');
      first.events$.subscribe({ error: (error: unknown) => errors.push(error) });
      at(5, () => expectEvents(first.resume().events$));
    });
    expect(errors).toEqual([down]);
    expect(a!.subscriptions()).toEqual(['^-!']);
    expect(model.requests).toHaveLength(2);
    expect(history()).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'assistant: z']);
  });

  it('has the same invocation fail as often as it fails, and go on when it is there again', () => {
    const { memory, history } = faultyStore([], ({ updateMessages }) => ({
      updateMessages: failingFirst(3, updateMessages, down),
    }));
    const [a] = tools();
    const { firedTypes, model } = play({ rounds: ['A|', 'z|'], tools: [a!], chatMemory: memory(), pipe: retry(3) });
    expect(firedTypes.filter((type) => type === 'error')).toHaveLength(3);
    expect(firedTypes.at(-1)).toBe('completed');
    expect(model.requests).toHaveLength(2);
    expect(a!.subscriptions()).toEqual(['^-!']);
    expect(history()).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'assistant: z']);
  });

  it('is reported with its id where the error of the invocation is another one', () => {
    const { memory } = faultyStore([], () => ({ updateMessages: fails }));
    const { error, logs } = play({ rounds: ['A-#'], tools: tools(), chatMemory: memory() });
    expect(error).not.toBe(down);
    expect(logs).toEqual([
      ['error', 'Chat memory "ada" could not be written: what was said and done since the last write is not in it.', down],
    ]);
  });

  it.each([
    ['the answer', { rounds: ['-z|'] }],
    ['a round whose tool has run', { rounds: ['A|'], tools: tools() }],
    ['a round whose tool still ran', { rounds: ['A-----|'], tools: tools() }],
  ])('is reported also when nobody listens any more: the consumer has left while it wrote %s', (_, script) => {
    const { memory } = faultyStore([], () => ({ updateMessages: () => timer(5).pipe(map(fails)) }));
    const { firedTypes, logs } = play({ ...script, chatMemory: memory(), subscription: '^---!' });
    expect(firedTypes.at(-1)).toBe('cancelled');
    expect(firedTypes).not.toContain('error');
    expect(logs).toEqual([['error', expect.stringContaining('"ada" could not be written'), down]]);
  });

  it('fails a clear() with its error, and holds what it held', () => {
    const { memory, history } = faultyStore([user('q')], () => ({ deleteMessages: () => throwError(() => down) }));
    expect(watch(fromTask(() => memory().clear())).error).toBe(down);
    expect(history()).toEqual(['user: q']);
  });
});

describe('a write that failed, and was done all the same', () => {
  const over = (
    initial: readonly ChatMessage[],
    restore: (messages: readonly ChatMessage[]) => readonly ChatMessage[] = (m) => m,
  ) =>
    faultyStore(initial, ({ getMessages, updateMessages }) => ({
      updateMessages: failingFirst(1, updateMessages, down, 'after'),
      getMessages: (id) => restore(getMessages(id) as readonly ChatMessage[]),
    }));

  it.each<[what: string, rounds: readonly string[], history: readonly string[]]>([
    ['the answer', ['z|'], ['user: hello', 'assistant: z']],
    ['a round', ['A|', 'z|'], ['user: hello', 'assistant: [A]', 'A: r', 'assistant: z']],
  ])('is not done once more by a retry: of %s', (_, rounds, expected) => {
    const { memory, history } = over([]);
    const { firedTypes } = play({ rounds, tools: tools(), chatMemory: memory(), pipe: retried });
    expect(firedTypes.at(-1)).toBe('completed');
    expect(history()).toEqual(expected);
  });

  it('is not done once more when it has pushed more out of the window than it has put in', () => {
    const { memory, history } = over([user('q1'), ...unit('X'), answer('a1')]);
    play({ rounds: ['z|'], chatMemory: memory(5), pipe: retried });
    expect(history()).toEqual(['assistant: a1', 'user: hello', 'assistant: z']);
  });

  it('is not done once more where the store keeps its JSON with the keys in another order, and adds some of its own', () => {
    const asJsonb = (messages: readonly ChatMessage[]) =>
      messages.map((message, n) => ({ n, ...Object.fromEntries(Object.entries(message).reverse()) }) as unknown as ChatMessage);
    const { memory, history } = over([user('q')], asJsonb);
    play({ rounds: ['(AA)|', 'z|'], tools: tools(), chatMemory: memory(), pipe: retried, idGenerator: () => 'g' });
    expect(history()).toEqual(['user: q', 'user: hello', 'assistant: [A g]', 'A: r', 'g: r', 'assistant: z']);
  });

  it('is not done once more where the model was asked again before, of which memory knows nothing', () => {
    const { memory, history } = over([]);
    const model = { rounds: ['y|', 'A|', 'z|'], tools: tools(), chatMemory: memory(), pipe: retried };
    const outputGuardrails = [
      ({ response }: { response: { aiMessage: { text: string | null } } }) =>
        response.aiMessage.text === 'y'
          ? { type: 'reprompt' as const, message: 'no y', prompt: 'Not y.' }
          : { type: 'success' as const },
    ];
    const played = play({ ...model, outputGuardrails: outputGuardrails });
    expect(played.firedTypes.at(-1)).toBe('completed');
    expect(history()).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'assistant: z']);
  });

  it('is told what was undone, so that no success is in memory that was rolled back', () => {
    const { memory, history } = over([]);
    const log = undoLog();
    play({ rounds: ['A|'], tools: [log.undoable('a', 'r|')], chatMemory: memory(), compensateOnToolErrors: true });
    expect(log.names()).toEqual(['a']);
    expect(history().at(-1)).toMatch(/^A! .*rolled back/);
  });

  it('is not done once more where it could not be told what was undone: the model is', () => {
    const { memory, history } = faultyStore([], ({ updateMessages }) => {
      const kept = failingFirst(1, updateMessages, down, 'after');
      const lost = failingFirst(1, updateMessages, down);
      let writes = 0;
      return { updateMessages: (...write) => [kept, lost, updateMessages][Math.min(writes++, 2)]!(...write) };
    });
    const tools = [undoLog().undoable('a', 'r|')];
    const script = { rounds: ['A|', 'z|'], tools, compensateOnToolErrors: true, chatMemory: memory(), pipe: retried };
    const { model } = play(script);
    expect(outline(model.requests.at(-1)!.messages).at(-1)).toMatch(/^A! .*rolled back/);
    expect(history()).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'assistant: z']);
  });

  it('is taken back where the answer that it kept holds no more, since what its tools did was undone', () => {
    const store = faultyStore([], ({ updateMessages }) => {
      const failing = failingFirst(1, updateMessages, down, 'after');
      let writes = 0;
      return { updateMessages: (...write) => (++writes === 2 ? failing : updateMessages)(...write) };
    });
    const tools = [undoLog().undoable('a', 'r|')];
    const script = { rounds: ['A|', 'z|', 'y|'], tools, compensateOnToolErrors: true };
    play({ ...script, chatMemory: store.memory(), pipe: retried });
    expect(store.history()).toEqual([
      'user: hello',
      'assistant: [A]',
      expect.stringMatching(/^A! .*rolled back/),
      'assistant: y',
    ]);
  });

  it('is done when it was not: the same question as before is not taken for the one that is written', () => {
    const { memory, history } = faultyStore([user('hello')], ({ updateMessages }) => ({
      updateMessages: failingFirst(1, updateMessages, down),
    }));
    play({ rounds: ['z|'], chatMemory: memory(), pipe: retried });
    expect(history()).toEqual(['user: hello', 'user: hello', 'assistant: z']);
  });
});

describe('a store that another process writes to as well', () => {
  const ask = (store: ReturnType<typeof faultyStore>) =>
    store.sound.updateMessages('ada', [...store.read(), user('other'), answer('process')]) as void;
  const asked = ['user: q', 'assistant: a', 'user: other', 'assistant: process', 'user: hello'];

  it('keeps what was added while an invocation ran: a write reads first', () => {
    const store = faultyStore([user('q'), answer('a')]);
    play({ rounds: ['--z|'], chatMemory: store.memory(), meanwhile: { 1: () => ask(store) } });
    expect(store.history()).toEqual([...asked, 'assistant: z']);
  });

  it('keeps it also where the system message is another one than before', () => {
    const store = faultyStore([system('old'), user('q'), answer('a')]);
    play({ rounds: ['--z|'], systemMessage: 'new', chatMemory: store.memory(), meanwhile: { 1: () => ask(store) } });
    expect(store.history()).toEqual(['system: new', ...asked, 'assistant: z']);
  });

  it('may refuse a write that would lose something: a retry reads anew, adds, and runs no tool again', () => {
    let version = 1;
    let seen = 0;
    const store = faultyStore([user('q'), answer('a')], ({ getMessages, updateMessages }) => ({
      getMessages: (id) => ((seen = version), getMessages(id)),
      updateMessages: (id, messages) => {
        // The other process is quicker, once.
        if (version === 1) {
          version = 2;
          ask(store);
        }
        if (seen !== version) throw new Error('conflict');
        version = seen = version + 1;
        return updateMessages(id, messages);
      },
    }));
    const [a] = tools();
    const { firedTypes } = play({ rounds: ['A|', 'z|'], tools: [a!], chatMemory: store.memory(), pipe: retried });
    expect(firedTypes.filter((type) => type === 'error')).toHaveLength(1);
    expect(a!.subscriptions()).toEqual(['^-!']);
    expect(store.history()).toEqual([...asked, 'assistant: [A]', 'A: r', 'assistant: z']);
  });
});
