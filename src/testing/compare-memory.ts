import type { ChatMessage } from '../chat/message.ts';
import { toObservable } from '../chat/value.ts';
import type { ChatMemory } from '../memory/chat-memory.ts';
import { compareLines } from './compare-lines.ts';
import { drawMessage } from './draw-message.ts';
import { matches } from './matches.ts';

/** A message of a memory: as a line, or as what it has at least. */
export type ExpectedMessage = string | Partial<ChatMessage>;

/** Throws where a memory does not hold these messages; it must answer at once. */
export function compareMemory(memory: ChatMemory, expected: readonly ExpectedMessage[]): void {
  let messages: readonly ChatMessage[] | undefined;
  let failure: unknown;
  const reading = toObservable(memory.messages()).subscribe({
    next: (held) => (messages = held),
    error: (error: unknown) => (failure = error),
  });
  reading.unsubscribe();
  if (failure !== undefined) throw failure;
  if (messages === undefined)
    throw new Error('The memory has not answered at once: read it with an Observable of its own, by `record`.');
  const held = messages;
  const wanted = expected.map((message, place) => {
    if (typeof message === 'string') return message;
    const actual = held[place];
    return actual && matches(actual, message) ? drawMessage(actual) : JSON.stringify(message);
  });
  compareLines('memory', held.map(drawMessage), wanted);
}
