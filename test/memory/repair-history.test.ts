import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatMessage, ToolExecutionResultMessage } from '../../src/chat/message.ts';
import { didNotComplete, repairHistory } from '../../src/memory/repair-history.ts';
import { anyMessages } from '../chat/arbitrary-messages.ts';
import { outline } from '../service/support.ts';
import { answer, calling, result, system, unit, user, validHistory } from './histories.ts';

const repaired = (...messages: ChatMessage[]) => outline(repairHistory(messages));
const neutral = (id: string) => `${id}! ${didNotComplete}`;

/** Every call is answered directly behind it, in the order of the calls; no result is without its call; no answer is empty. */
function expectConversation(messages: readonly ChatMessage[]): void {
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
        // Nothing is made up but results that say so, and the rest keeps its order.
        const made = conversation.filter((message) => !messages.includes(message));
        for (const message of made) {
          expect(message).toMatchObject({ role: 'tool', isError: true, contents: [{ type: 'text', text: didNotComplete }] });
        }
        const spoken = conversation.filter(({ role }) => role !== 'tool');
        expect(messages.filter((message) => spoken.includes(message))).toEqual(spoken);
        // No word of a user or of the system is lost.
        const isKept = ({ role }: ChatMessage) => role === 'user' || role === 'system';
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
      'assistant: [A]',
      'A: second',
    ]);
  });

  it('gives two calls with one id their two results', () => {
    expect(repaired(calling('A', 'A'), result('A', 'first'), result('A', 'second'))).toEqual([
      'assistant: [A A]',
      'A: first',
      'A: second',
    ]);
    expect(repaired(calling('A', 'A'), result('A', 'first'))).toEqual(['assistant: [A A]', 'A: first', neutral('A')]);
  });

  it('loses empty answers, which providers refuse', () => {
    expect(repaired(user('q'), answer(''), { role: 'assistant', text: null, toolExecutionRequests: [] }, answer('a'))).toEqual([
      'user: q',
      'assistant: a',
    ]);
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
