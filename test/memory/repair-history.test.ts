import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatMessage, ToolExecutionResultMessage } from '../../src/chat/message.ts';
import { didNotComplete, repairHistory } from '../../src/memory/repair-history.ts';
import { anyMessages } from '../chat/arbitrary-messages.ts';
import { outline } from '../service/support.ts';
import { answer, calling, result, system, unit, user, validHistory } from './histories.ts';

const repaired = (...messages: ChatMessage[]) => outline(repairHistory(messages));
/** A message but for the ids of its calls. */
function withoutIds(message: ChatMessage): unknown {
  if (message.role === 'tool') return { ...message, id: '' };
  if (message.role !== 'assistant') return message;
  return { ...message, toolExecutionRequests: message.toolExecutionRequests.map((request) => ({ ...request, id: '' })) };
}

const neutral = (id: string) => `${id}! ${didNotComplete}`;

/** Every call has an id of its own and is answered directly behind it, in the order of the calls; no result is without its call; no message is empty. */
function expectConversation(messages: readonly ChatMessage[]): void {
  const ids = messages.flatMap((message) =>
    message.role === 'assistant' ? message.toolExecutionRequests.map(({ id }) => id) : [],
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).not.toContain('');
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      expect(message.id).toBe(open.shift());
      continue;
    }
    expect(open).toEqual([]);
    if (message.role !== 'assistant') continue;
    open = message.toolExecutionRequests.map(({ id }) => id);
    expect(open.length > 0 || Boolean(message.text)).toBe(true);
  }
  expect(open).toEqual([]);
}

describe('a history that a store returned', () => {
  it('[G42] becomes a valid conversation, whatever it was', () => {
    fc.assert(
      fc.property(anyMessages, (messages) => {
        const before = [...messages];
        const conversation = repairHistory(messages);
        expectConversation(conversation);
        expect(messages).toEqual(before);
        // Nothing is made up but results that say so, and ids where they were taken.
        for (const message of conversation) {
          const isMadeUp = message.role === 'tool' && message.isError && outline([message])[0] === neutral(message.id);
          if (!isMadeUp) expect(messages.map(withoutIds)).toContainEqual(withoutIds(message));
        }
        // All that was said is there, in its order.
        const isSaid = (message: ChatMessage) =>
          message.role === 'assistant' && Boolean(message.text || message.toolExecutionRequests.length > 0);
        expect(conversation.filter(isSaid).map(withoutIds)).toEqual(messages.filter(isSaid).map(withoutIds));
        // No word of a user or of the system is lost.
        const isKept = (message: ChatMessage) =>
          message.role === 'system' || (message.role === 'user' && message.contents.length > 0);
        expect(conversation.filter(isKept)).toEqual(messages.filter(isKept));
        // It is a repair: what it made needs none.
        expect(repairHistory(conversation)).toEqual(conversation);
      }),
      { numRuns: 400 },
    );
  });

  it('comes back message by message the same where it is valid', () => {
    fc.assert(
      fc.property(validHistory, (history) => {
        const same = repairHistory(history);
        expect(same).toHaveLength(history.length);
        expect(same.every((message, place) => message === history[place])).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('[G42] gets neutral results for calls that were never answered: the process had died', () => {
    expect(repaired(user('q'), calling('A', 'B'))).toEqual(['user: q', 'assistant: [A B]', neutral('A'), neutral('B')]);
    expect(repaired(user('q'), calling('A', 'B'), result('B'))).toEqual(['user: q', 'assistant: [A B]', neutral('A'), 'B: r']);
  });

  it('[G42] has results in the order of the calls, before what was said in between', () => {
    expect(repaired(user('q1'), calling('A', 'B'), user('q2'), result('B'), system('s'), result('A'), answer('a'))).toEqual([
      'user: q1',
      'assistant: [A B]',
      'A: r',
      'B: r',
      'user: q2',
      'system: s',
      'assistant: a',
    ]);
  });

  it('loses results without a call, of another call, and said twice', () => {
    expect(repaired(result('A'), user('q'), result('B'), ...unit('C'), result('C', 'again'), result('D'), answer('a'))).toEqual([
      'user: q',
      'assistant: [C]',
      'C: r',
      'assistant: a',
    ]);
  });

  it('does not take the result of a later call with the same id', () => {
    expect(repaired(calling('A'), user('q'), calling('A'), result('A', 'second'))).toEqual([
      'assistant: [A]',
      neutral('A'),
      'user: q',
      'assistant: [A-2]',
      'A-2: second',
    ]);
  });

  it('gives two calls with one id their two results, each under an id of its own', () => {
    expect(repaired(calling('A', 'A'), result('A', 'first'), result('A', 'second'))).toEqual([
      'assistant: [A A-2]',
      'A: first',
      'A-2: second',
    ]);
    expect(repaired(calling('A', 'A'), result('A', 'first'))).toEqual(['assistant: [A A-2]', 'A: first', neutral('A-2')]);
  });

  it('has no id twice, neither in one round nor in several, and none that is empty: providers refuse both', () => {
    expect(repaired(...unit('A'), ...unit('A-2'), ...unit('A'), calling('', ''), result('', 'r'))).toEqual([
      'assistant: [A]',
      'A: r',
      'assistant: [A-2]',
      'A-2: r',
      'assistant: [A-2-2]',
      'A-2-2: r',
      'assistant: [call-2 call-3]',
      'call-2: r',
      neutral('call-3'),
    ]);
  });

  it('loses messages with nothing in them, which providers refuse', () => {
    expect(
      repaired(
        { role: 'user', contents: [] },
        user('q'),
        answer(''),
        { role: 'assistant', text: null, toolExecutionRequests: [] },
        answer('a'),
      ),
    ).toEqual(['user: q', 'assistant: a']);
  });

  it('tells what was wrong with which message, and nothing of a valid one', () => {
    const notes: unknown[] = [];
    const history = [system('s'), user('q'), calling('A', 'B'), result('B'), result('X'), answer(''), calling('B')];
    repairHistory(history, (...note) => notes.push(note));
    expect(notes).toEqual([
      [2, 'has no result for A'],
      [4, 'has no call'],
      [5, 'is empty'],
      [6, 'has no id of its own for a call'],
      [6, 'has no result for B-2'],
    ]);
    notes.length = 0;
    repairHistory([user('q'), ...unit('A', 'B'), answer('a')], (...note) => notes.push(note));
    expect(notes).toEqual([]);
  });

  it('takes time in proportion, also where all calls have one id', () => {
    const long = Array.from({ length: 50_000 }, () => unit('A')).flat();
    const whole = repairHistory(long);
    expect(whole).toHaveLength(long.length);
    expect((whole.at(-1) as ToolExecutionResultMessage).id).toBe('A-50000');
    const wide = repairHistory([calling(...Array.from({ length: 50_000 }, (_, n) => `c${n}`))]);
    expect(wide).toHaveLength(50_001);
  });

  it('keeps the name of the tool on a result that is made up', () => {
    const made = repairHistory([calling('A')])[1] as ToolExecutionResultMessage;
    expect(made).toEqual({
      role: 'tool',
      id: 'A',
      toolName: 'a',
      contents: [{ type: 'text', text: didNotComplete }],
      isError: true,
    });
  });
});
