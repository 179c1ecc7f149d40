import { concatMap, defer, lastValueFrom, timer, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../../src/chat/message.ts';
import { parseMessages } from '../../src/chat/parse-messages.ts';
import type { ChatMemory, ChatMemoryStore } from '../../src/memory/chat-memory.ts';
import { messageWindowMemory } from '../../src/memory/message-window-memory.ts';
import { tokenWindowMemory } from '../../src/memory/token-window-memory.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { toolExecutionErrorHandler } from '../../src/tool/error-handlers.ts';
import { expectValid, kept, keptLogs, outline, play, roomyMemory } from './support.ts';
import { playUndoing, rolledBack, stillStands, toldUndone, undoLog, undosIn } from './undo-log.ts';

const why = 'c failed';

/** A store that keeps JSON, as a database would: nothing that comes out of it is what went in. */
function jsonStore(initial: readonly ChatMessage[] = []): ChatMemoryStore & { read(): readonly ChatMessage[] } {
  let text = JSON.stringify(initial);
  const read = () => parseMessages(JSON.parse(text));
  return {
    read,
    getMessages: read,
    updateMessages: (_, messages) => {
      text = JSON.stringify(messages);
    },
    deleteMessages: () => {
      text = '[]';
    },
  };
}

/** The same store, which takes its time. */
const slowly = ({ read, ...store }: ReturnType<typeof jsonStore>): ReturnType<typeof jsonStore> => ({
  read,
  getMessages: () => timer(1).pipe(concatMap(() => [read()])),
  updateMessages: (id, messages) =>
    timer(2).pipe(concatMap(() => defer(() => [store.updateMessages(id, messages) as undefined]))),
  deleteMessages: (id) => store.deleteMessages(id),
});

/** A memory of the user's own, which keeps everything and cuts nothing. */
function plainMemory(): { memory: ChatMemory; read(): readonly ChatMessage[] } {
  let messages: readonly ChatMessage[] = [];
  const read = () => messages;
  const set = (all: readonly ChatMessage[]) => {
    messages = Object.freeze([...all]);
  };
  return { read, memory: { id: 'mine', messages: read, add: (more) => set([...messages, ...more]), set, clear: () => set([]) } };
}

const kinds: Record<string, () => { memory: ChatMemory; read(): readonly ChatMessage[] }> = {
  'a message window': () => {
    const memory = roomyMemory();
    return { memory, read: () => kept(memory) };
  },
  'a token window': () => {
    const memory = tokenWindowMemory({ maxTokens: 10_000, countTokens: (messages) => JSON.stringify(messages).length });
    return { memory, read: () => kept(memory) };
  },
  'a store that copies': () => {
    const store = jsonStore();
    return { memory: messageWindowMemory({ maxMessages: 100, store }), read: store.read };
  },
  'a store that copies and takes its time': () => {
    const store = slowly(jsonStore());
    return { memory: messageWindowMemory({ maxMessages: 100, store }), read: store.read };
  },
  'a token window that counts slowly': () => {
    const store = slowly(jsonStore());
    const countTokens = (messages: readonly ChatMessage[]) => timer(1).pipe(concatMap(() => [messages.length]));
    return { memory: tokenWindowMemory({ maxTokens: 100, countTokens, store }), read: store.read };
  },
  'a memory of the user': plainMemory,
};

/** Rounds with a, with b, and with c, which fails. */
const script = () => {
  const log = undoLog();
  const tools = [log.undoable('a', 'r|'), log.undoable('b', 'r|'), scriptedTool('c', '#')];
  return { log, rounds: ['A|', 'B|', 'C|', '-z|'], tools };
};

const undone = [
  'user: hello',
  'assistant: [A]',
  rolledBack('A', why),
  'assistant: [B]',
  rolledBack('B', why),
  'assistant: [C]',
  'C! c failed',
  'assistant: z',
];

describe.each(Object.entries(kinds))('%s', (_, make) => {
  it('[S104] has what was stored of earlier rounds rewritten, and the model knows', () => {
    const { memory, read } = make();
    const { log, ...rest } = script();
    const played = playUndoing({ ...rest, chatMemory: memory });
    expect(log.names()).toEqual(['b', 'a']);
    expect(outline(read())).toEqual(undone);
    expect(outline(played.model.requests[3]!.messages)).toEqual(undone.slice(0, -1));
    expectValid(read());
  });

  it('[S104] keeps what other invocations have written, though they called the same tools', () => {
    const { memory, read } = make();
    play({ rounds: ['A|', '-y|'], tools: [scriptedTool('a', 'r|')], chatMemory: memory });
    const before = read();
    const { log, ...rest } = script();
    playUndoing({ ...rest, idGenerator: () => 'A2', chatMemory: memory });
    expect(log.names()).toEqual(['b', 'a']);
    expect(read().slice(0, before.length)).toEqual(before);
    expect(outline(read().slice(before.length))).toEqual([
      'user: hello',
      'assistant: [A2]',
      'A2! a had succeeded, but it was rolled back because c failed.',
      ...undone.slice(3),
    ]);
    expectValid(read(), 2);
  });

  it('[S104] keeps the system message, an old one and a changed one', () => {
    for (const systemMessage of ['Be kind.', 'Be brief.']) {
      const { memory, read } = make();
      play({ rounds: ['-y|'], systemMessage: 'Be kind.', chatMemory: memory });
      const { log, ...rest } = script();
      playUndoing({ ...rest, systemMessage, chatMemory: memory });
      expect(log.names()).toEqual(['b', 'a']);
      expect(outline(read())).toEqual([`system: ${systemMessage}`, 'user: hello', 'assistant: y', ...undone]);
    }
  });

  it('says so to the next question', () => {
    const { memory } = make();
    const { log, ...rest } = script();
    playUndoing({ ...rest, rounds: ['A|', 'B|', '-#'], chatMemory: memory });
    expect(log.names()).toEqual(['b', 'a']);
    const next = play({ rounds: ['-y|'], input: 'and now?', chatMemory: memory });
    expect(outline(next.model.requests[0]!.messages)).toEqual([
      'user: hello',
      'assistant: [A]',
      rolledBack('A', 'the model failed'),
      'assistant: [B]',
      rolledBack('B', 'the model failed'),
      'user: and now?',
    ]);
  });

  it('says what could not be undone', () => {
    const { memory, read } = make();
    const log = undoLog();
    const tools = [log.undoable('a', 'r|', { undo: '-#' }), scriptedTool('c', '#')];
    playUndoing({ rounds: ['A|', 'C|', '-z|'], tools, chatMemory: memory });
    expect(outline(read())[2]).toBe(stillStands('A', why));
  });
});

describe('a memory with a store of promises', () => {
  it('[S104] has what was stored of earlier rounds rewritten', async () => {
    const { read, ...store } = jsonStore();
    const log = undoLog();
    const service = aiService({
      model: scriptedModel(['(A|)', '(B|)', '(C|)', '(z|)']),
      tools: [
        log.undoable('a', '(r|)', { undo: () => Promise.resolve() }),
        log.undoable('b', '(r|)', { undo: () => Promise.resolve() }),
        scriptedTool('c', '#'),
      ],
      chatMemory: messageWindowMemory({
        maxMessages: 100,
        store: {
          getMessages: () => Promise.resolve(read()),
          updateMessages: (id, messages) => Promise.resolve().then(() => void store.updateMessages(id, messages)),
          deleteMessages: () => Promise.resolve(),
        },
      }),
      compensateOnToolErrors: true,
      toolExecutionErrorHandler: toolExecutionErrorHandler.sendExceptionMessageToLlm(),
      logger: keptLogs(),
    });
    const events = await lastValueFrom(service.stream('hello').pipe(toArray()), { defaultValue: [] });
    expect(toldUndone(events)).toEqual(['b: toolError', 'a: toolError']);
    expect(outline(read())).toEqual(undone);
  });
});

describe('a window that is too small for it all', () => {
  const small = {
    'message window': () => messageWindowMemory({ maxMessages: 5 }),
    'token window': () => tokenWindowMemory({ maxTokens: 5, countTokens: ({ length }) => length }),
    'message window over a store that copies': () => messageWindowMemory({ maxMessages: 5, store: jsonStore() }),
  };

  it.each(Object.entries(small))('[S104] a %s has undone what it no longer holds, and does not get it back', (_, make) => {
    const { log, ...rest } = script();
    const played = playUndoing({ ...rest, chatMemory: make() });
    expect(log.names()).toEqual(['b', 'a']);
    expect(played.history).toEqual(['user: hello', 'assistant: [C]', 'C! c failed', 'assistant: z']);
    expectValid(kept(played.memory));
    expect(outline(played.model.requests[3]!.messages)).toEqual([
      'user: hello',
      'assistant: [B]',
      rolledBack('B', why),
      'assistant: [C]',
      'C! c failed',
    ]);
  });

  it('that counts what is in a message makes room for what is said of the undo', () => {
    const countTokens = (messages: readonly ChatMessage[]) => outline(messages).join('').length;
    const log = undoLog();
    const played = playUndoing({
      rounds: ['A|', 'C|', '-z|'],
      tools: [log.undoable('a', 'r|'), scriptedTool('c', '#')],
      chatMemory: tokenWindowMemory({ maxTokens: 60, countTokens }),
    });
    expect(log.names()).toEqual(['a']);
    expect(countTokens(kept(played.memory))).toBeLessThanOrEqual(60);
    expectValid(kept(played.memory));
  });
});

describe('what is said of an undo', () => {
  it('is written once all is undone, and before the model is asked again', () => {
    const writes: string[] = [];
    const roomy = roomyMemory();
    const chatMemory: ChatMemory = {
      ...roomy,
      add: (messages) => (writes.push(`add ${outline(messages).length}`), roomy.add(messages)),
      set: (messages) => (writes.push(`set ${outline(messages).length}`), roomy.set(messages)),
    };
    const { log, ...rest } = script();
    playUndoing({
      ...rest,
      tools: rest.tools,
      chatMemory,
      interceptors: { model: [(request, _, next) => (writes.push('request'), next(request))] },
      listeners: [(event) => writes.push(...undosIn([event]).map(({ execution }) => `undone ${execution.request.name}`))],
    });
    expect(log.names()).toEqual(['b', 'a']);
    expect(writes).toEqual([
      'request',
      'add 3',
      'request',
      'add 2',
      'request',
      'undone b',
      'undone a',
      'set 5',
      'add 2',
      'request',
      'add 1',
    ]);
  });

  it('of the same round is written with the round, in one piece', () => {
    const writes: (readonly string[])[] = [];
    const roomy = roomyMemory();
    const chatMemory: ChatMemory = { ...roomy, add: (messages) => (writes.push(outline(messages)), roomy.add(messages)) };
    const log = undoLog();
    playUndoing({ rounds: ['(AC)|', '-z|'], tools: [log.undoable('a', 'r|'), scriptedTool('c', '#')], chatMemory });
    expect(writes).toEqual([['user: hello', 'assistant: [A C]', rolledBack('A', why), 'C! c failed'], ['assistant: z']]);
  });

  it('is not cut to the length of a result', () => {
    const log = undoLog();
    const played = playUndoing({
      rounds: ['(AC)|', '-z|'],
      tools: [log.undoable('a', 'r|', { values: { r: 'r'.repeat(1000) } }), scriptedTool('c', '#')],
      maxToolResultLength: 40,
    });
    expect(played.history[2]).toBe(rolledBack('A', why));
  });

  it('names a failing tool by its own name, however the model wrote it', () => {
    const log = undoLog();
    const played = playUndoing({
      rounds: ['(AC)|', '-z|'],
      script: { calls: { A: { name: 'functions.a' }, C: { name: 'c<|channel|>commentary' } } },
      tools: [log.undoable('a', 'r|'), scriptedTool('c', '#')],
    });
    expect(played.history[2]).toBe(rolledBack('A', why));
  });
});
