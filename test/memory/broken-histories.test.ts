import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChatModelError } from '../../src/chat/chat-model-error.ts';
import type { ChatMessage } from '../../src/chat/message.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { anyMessages } from '../chat/arbitrary-messages.ts';
import { neutral, outline, play } from '../service/support.ts';
import { faultyStore } from './faulty-store.ts';
import { answer, calling, result, system, unit, user } from './histories.ts';
import { refusals } from './request-rules.ts';

/** One invocation with a tool round on what a store returned: what it asked for, how it ended, and what is in the store. */
function asked(returned: unknown) {
  let held = returned;
  const { memory } = faultyStore([], () => ({
    getMessages: () => held as readonly ChatMessage[],
    updateMessages: (_, messages) => void (held = messages),
  }));
  const { model, error, fired, logs } = play({ rounds: ['A|', 'z|'], tools: [scriptedTool('a', 'r|')], chatMemory: memory() });
  return {
    model,
    error,
    fired,
    logs,
    requests: model.requests.map(({ messages }) => outline(messages)),
    held: () => held as readonly ChatMessage[],
  };
}

/** Fields that messages have, and one that none has. */
const field = fc.constantFrom(
  'role',
  'text',
  'contents',
  'toolExecutionRequests',
  'id',
  'toolName',
  'thinking',
  'isError',
  'attributes',
  'foreign',
);

/** Messages as they may lie in a store: most are messages, in some a field is missing or is something else, some are none. */
const brokenHistory = fc
  .tuple(
    anyMessages,
    fc.array(fc.tuple(fc.nat(11), field, fc.option(fc.jsonValue({ maxDepth: 2 }), { nil: undefined })), { maxLength: 2 }),
  )
  .map(([messages, faults]) => {
    const broken: unknown[] = structuredClone(messages);
    for (const [place, key, value] of faults) {
      if (place < broken.length) broken[place] = { ...(broken[place] as object), [key]: value };
    }
    return broken;
  });

describe('whatever a store returns', () => {
  it.each(Object.keys(refusals))(
    'no request is sent that the API refuses: what is no message fails with its place, the rest is repaired (%s)',
    (provider) => {
      let sent = 0;
      const check = (returned: unknown) => {
        const before = JSON.stringify(returned);
        const { model, error, held, fired } = asked(returned);
        if (error) {
          expect(error).toBeInstanceOf(TypeError);
          expect((error as Error).message).toMatch(
            /^Chat memory "ada" did not return an array of chat messages: (it is \w+|messages\[\d+\](\.\w+)? is wrong)\. /,
          );
          expect(fired.at(-1)!.type).toBe('error');
          expect(model.requests).toEqual([]);
          expect(JSON.stringify(held())).toBe(before);
          return;
        }
        sent++;
        for (const { messages } of model.requests) expect(refused(provider, messages)).toEqual([]);
        // Nothing is taken out of the store: what was in it stands there as it was, and what was said follows.
        const system = (list: readonly ChatMessage[]) => list.filter(({ role }) => role !== 'system');
        const stored = system(JSON.parse(before ?? '[]') as readonly ChatMessage[]);
        expect(JSON.parse(JSON.stringify(system(held()).slice(0, stored.length)))).toEqual(stored);
      };
      fc.assert(fc.property(brokenHistory, check), { numRuns: 120 });
      expect(sent).toBeGreaterThan(20);
      fc.assert(
        fc.property(fc.jsonValue(), (json) => check(json ?? [])),
        { numRuns: 60 },
      );
    },
  );
});

/** What the API finds wrong; nothing where the model says itself that it does not take such a content. */
function refused(provider: string, messages: readonly ChatMessage[]): readonly string[] {
  try {
    return refusals[provider]!(messages);
  } catch (error) {
    expect(error).toBeInstanceOf(ChatModelError);
    return [];
  }
}

describe('a broken history', () => {
  it('is repaired for the model, told in a warning with the places, and left in the store as it is', () => {
    const broken = [system('s'), result('X'), calling('A', 'B'), result('B'), user('q'), calling('A'), result('A'), answer('')];
    const { requests, logs, held } = asked(broken);
    expect(requests[0]).toEqual([
      'system: s',
      'assistant: [A B]',
      `A! ${neutral}`,
      'B: r',
      'user: q',
      'assistant: [A-2]',
      'A-2: r',
      'user: hello',
    ]);
    expect(logs).toEqual([
      [
        'warn',
        'Chat memory "ada" is broken, and repaired for the model alone: messages[1] has no call, messages[2] has no result for A, messages[5] has no id of its own for a call, messages[7] is empty',
      ],
    ]);
    expect(held().slice(0, broken.length)).toEqual(broken);
  });

  it('is told of shortly, however much is broken', () => {
    const { logs } = asked(Array.from({ length: 1000 }, () => result('X')));
    expect((logs[0]![1] as string).length).toBeLessThan(250);
    expect(logs[0]![1]).toMatch(/messages\[4\] has no call, …$/);
  });

  it('is no reason for a warning where it is none', () => {
    expect(asked([system('s'), user('q'), ...unit('X', 'Y'), answer('a')]).logs).toEqual([]);
    expect(asked([]).logs).toEqual([]);
  });

  it.each<[what: string, history: readonly unknown[], place: string]>([
    ['a role of another API', [user('q'), { role: 'developer', text: 'x' }], 'messages[1].role'],
    ['a role that every object has', [{ role: 'constructor' }], 'messages[0].role'],
    ['contents of another API', [{ role: 'user', contents: 'hi' }], 'messages[0].contents'],
    ['a content without its text', [{ role: 'user', contents: [{ type: 'text' }] }], 'messages[0].contents'],
    [
      'bytes that came as a Buffer',
      [{ role: 'user', contents: [{ type: 'image', data: new Uint8Array(2) }] }],
      'messages[0].contents',
    ],
    ['a Date for a text', [user('q'), { ...answer('a'), text: new Date(0) }], 'messages[1].text'],
    [
      'calls without arguments',
      [{ ...calling('A'), toolExecutionRequests: [{ id: 'A', name: 'a' }] }],
      'messages[0].toolExecutionRequests',
    ],
    [
      'arguments that are no text',
      [{ ...calling('A'), toolExecutionRequests: [{ id: 'A', name: 'a', arguments: {} }] }],
      'messages[0].toolExecutionRequests',
    ],
    ['a result without the name of its tool', [calling('A'), { ...result('A'), toolName: undefined }], 'messages[1].toolName'],
    ['a hole', [user('q'), , user('q2')], 'messages[1]'],
  ])('fails with the place, and what to do, where a message is none: %s', (_, history, place) => {
    const { error, model } = asked(history);
    expect(error).toEqual(
      new TypeError(
        `Chat memory "ada" did not return an array of chat messages: ${place} is wrong. Mend it in the store, and read JSON with parseMessages.`,
      ),
    );
    expect(model.requests).toEqual([]);
  });

  it.each([
    ['JSON text', '[]', 'it is string'],
    ['one message', user('q'), 'it is object'],
  ])('fails the same where it is no list of messages: %s', (_, returned, problem) => {
    expect((asked(returned).error as Error).message).toContain(problem);
  });

  it('may lack what does no harm, as JSON of an older version may', () => {
    const old = [
      user('q'),
      { role: 'assistant', toolExecutionRequests: calling('X').toolExecutionRequests },
      { ...result('X'), isError: undefined },
    ];
    expect(asked(old).requests[0]).toEqual(['user: q', 'assistant: [X]', 'X: r', 'user: hello']);
  });
});

describe('the messages of a store', () => {
  const history = [user('q'), ...unit('X'), answer('a')];
  const told = ['user: q', 'assistant: [X]', 'X: r', 'assistant: a'];
  const said = ['user: hello', 'assistant: [A]', 'A: r', 'assistant: z'];

  it('may have fields of their own, which the store gets back and no provider sees', () => {
    const stamped = history.map((message, n) => ({ ...message, createdAt: new Date(n), rowId: n }));
    const { held, model } = asked(stamped);
    expect(held().slice(0, 4)).toEqual(stamped);
    for (const messages of Object.values(refusals)) expect(messages(model.requests[0]!.messages)).toEqual([]);
  });

  it.each<[what: string, made: (message: ChatMessage) => ChatMessage]>([
    ['frozen', (message) => Object.freeze(structuredClone(message))],
    ['proxies', (message) => new Proxy(message, {})],
    ['instances of a class with getters', (message) => Object.create(lazily(message)) as ChatMessage],
  ])('may be %s', (_, made) => {
    const { requests, held } = asked(Object.freeze(history.map(made)));
    expect(requests[0]).toEqual([...told, 'user: hello']);
    expect(outline(held())).toEqual([...told, ...said]);
  });

  it('may be a hundred thousand', () => {
    const long = Array.from({ length: 25_000 }, (_, n) => [user(`q${n}`), ...unit(`X${n}`), answer(`a${n}`)]).flat();
    const { memory, history: kept } = faultyStore(long);
    const { marbles, model } = play({ rounds: ['A|', 'z|'], tools: [scriptedTool('a', 'r|')], chatMemory: memory(20) });
    expect(marbles).toBe('(A<a*a)(>a%z)($|)');
    expect(model.requests[1]!.messages).toHaveLength(20);
    expect(kept().slice(-4)).toEqual(said);
  });
});

describe('the arrays of a store', () => {
  const history = [user('q'), answer('a')];
  const whole = ['user: q', 'assistant: a', 'user: hello', 'assistant: [A]', 'A: r', 'assistant: z'];
  const rounds = { rounds: ['A|', 'z|'], tools: [scriptedTool('a', 'r|')] };

  it('may be one and the same, which it empties and fills', () => {
    const live: ChatMessage[] = [...history];
    const { memory } = faultyStore([], () => ({
      getMessages: () => live,
      updateMessages: (_, messages) => {
        live.length = 0;
        live.push(...messages);
      },
    }));
    const { model } = play({ ...rounds, chatMemory: memory() });
    expect(outline(live)).toEqual(whole);
    expect(model.requests.map(({ messages }) => outline(messages))).toEqual([whole.slice(0, 3), whole.slice(0, 5)]);
  });

  it('may be changed by it, when it has returned one and when it was given one: the invocation does not see it', () => {
    let row = JSON.stringify(history);
    const returned: ChatMessage[][] = [];
    const { memory } = faultyStore([], () => ({
      getMessages: () => {
        const messages = JSON.parse(row) as ChatMessage[];
        returned.push(messages);
        return messages;
      },
      updateMessages: (_, messages) => {
        row = JSON.stringify(messages);
        (messages as ChatMessage[]).reverse().splice(1);
        for (const list of returned) list.length = 0;
      },
    }));
    const { model } = play({ ...rounds, tools: [scriptedTool('a', 'r|')], chatMemory: memory() });
    expect(outline(JSON.parse(row) as ChatMessage[])).toEqual(whole);
    expect(outline(model.requests[1]!.messages)).toEqual(whole.slice(0, 5));
  });
});

/** The same message, each field of which is read when it is asked for. */
function lazily(message: ChatMessage): object {
  const made = {};
  for (const [field, value] of Object.entries(message))
    Object.defineProperty(made, field, { get: () => value as unknown, enumerable: true });
  return made;
}
