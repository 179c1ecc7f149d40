import type { ChatMessage } from '../chat/message.ts';
import { thenValue, type Value } from '../chat/value.ts';

/**
 * Drops the oldest messages until the rest fits.
 *
 * A call leaves with its results, and with the question that led to it. The system message, the last user message and
 * the newest group stay, even where they alone do not fit.
 */
export function evictOldest(
  messages: readonly ChatMessage[],
  fits: (messages: readonly ChatMessage[]) => Value<boolean>,
): Value<readonly ChatMessage[]> {
  const groups = evictableGroups(messages);
  const without = (count: number) => {
    const evicted = new Set(groups.slice(0, count).flat());
    return messages.filter((_, index) => !evicted.has(index));
  };
  // Bisection: counting tokens may be dear, so ask a few times and not once for each message.
  const search = (tooFew: number, enough: number): Value<readonly ChatMessage[]> => {
    if (enough - tooFew <= 1) return without(enough);
    const middle = Math.floor((tooFew + enough) / 2);
    return thenValue(fits(without(middle)), (fit) => (fit ? search(tooFew, middle) : search(middle, enough)));
  };
  return thenValue(fits(messages), (fit) => (fit ? messages : search(0, groups.length)));
}

/** The places of the messages that may leave, oldest first, those that leave together in one group. */
function evictableGroups(messages: readonly ChatMessage[]): readonly (readonly number[])[] {
  const lastQuestion = messages.findLastIndex(({ role }) => role === 'user');
  const groups: number[][] = [];
  // Whether the last group is a question that may leave, so that the calls it led to go with it.
  let isQuestionOpen = false;
  messages.forEach((message, index) => {
    if (message.role === 'system') return;
    if (index === lastQuestion) {
      isQuestionOpen = false;
      return;
    }
    const isCall = message.role === 'assistant' && message.toolExecutionRequests.length > 0;
    const joins = message.role === 'tool' || (isCall && isQuestionOpen);
    if (joins && groups.length > 0) groups.at(-1)!.push(index);
    else groups.push([index]);
    if (!joins) isQuestionOpen = message.role === 'user';
  });
  const isNewest = groups.at(-1)?.at(-1) === messages.length - 1;
  return isNewest ? groups.slice(0, -1) : groups;
}
