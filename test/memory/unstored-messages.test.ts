import fc from 'fast-check';
import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../../src/chat/message.ts';
import type { Value } from '../../src/chat/value.ts';
import { unstoredMessages, type UnstoredMessages } from '../../src/memory/unstored-messages.ts';
import { watch } from '../chat/watch.ts';
import { outline } from '../service/support.ts';
import { answer, unit, user } from './histories.ts';

const question = user('hello');
const asides: readonly ChatMessage[] = [answer('rude'), user('Be kind.')];

function knowing(messages: readonly ChatMessage[] = asides): UnstoredMessages {
  const unstored = unstoredMessages();
  unstored.add(messages);
  return unstored;
}

const fitted = (
  unstored: UnstoredMessages,
  history: readonly ChatMessage[],
  fit: (messages: readonly ChatMessage[]) => Value<readonly ChatMessage[]>,
) => watch(unstored.fitted(history, fit)).values[0]!;

describe('messages that memory never gets', () => {
  it('take no room in its window: they stay where they are, whatever leaves it', () => {
    const history = [question, ...asides, ...unit('A'), ...unit('B')];
    const asked: (readonly ChatMessage[])[] = [];
    const kept = fitted(knowing(), history, (messages) => {
      asked.push(messages);
      return [messages[0]!, ...messages.slice(-2)];
    });
    expect(asked).toEqual([[question, ...unit('A'), ...unit('B')]]);
    expect(kept).toEqual([question, ...asides, ...unit('B')]);
    expect(kept[0]).toBe(question);
  });

  it('are not looked for where there are none: what the window keeps is handed on as it is', () => {
    const kept = [question];
    expect(fitted(unstoredMessages(), [question, ...unit('A')], () => kept)).toBe(kept);
    expect(fitted(unstoredMessages(), [question], () => of(kept))).toBe(kept);
  });

  it('come last beside a window of copies, which tells nothing of their place', () => {
    const kept = fitted(knowing(), [question, ...asides, ...unit('A')], (messages) => structuredClone(messages));
    expect(kept).toEqual([question, ...unit('A'), ...asides]);
  });

  it('are put back where they stood, also when the memory has let go of what is old', () => {
    const before = [user('old'), answer('t'), question, ...asides, ...unit('A')];
    for (const from of [0, 2]) {
      const read = structuredClone(before.filter((message) => !asides.includes(message)).slice(from));
      knowing().putBack(before, read);
      expect(outline(read)).toEqual(outline(before).slice(from));
    }
  });

  it('are put back between no call and its results, whatever others have made of the history', () => {
    const piece = fc.constantFrom([question], [answer('t')], unit('A', 'B'), [...asides]);
    const history = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.flat());
    fc.assert(
      fc.property(history, history, (before, other) => {
        const read = structuredClone(other);
        knowing().putBack(before, read);
        expect(read).toHaveLength(other.length + before.filter((message) => asides.includes(message)).length);
        for (const [place, message] of read.entries())
          if (asides.includes(message)) expect(read[place + 1]?.role).not.toBe('tool');
      }),
    );
  });

  it('are put back into any history that was read again whole', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 12 }), (places) => {
        const before = places.map((_, place) => user(String(place)));
        const unstored = knowing(before.filter((_, place) => places[place]));
        const read = before.filter((_, place) => !places[place]);
        unstored.putBack(before, read);
        expect(read).toEqual(before);
      }),
    );
  });
});
