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
  const { places, count } = evictionOrder(messages);
  const without = (gone: number) => messages.filter((_, index) => places[index]! >= gone);
  // Bisection: counting tokens may be dear, so ask a few times and not once for each message.
  const search = (tooFew: number, enough: number): Value<readonly ChatMessage[]> => {
    if (enough - tooFew <= 1) return without(enough);
    const middle = Math.floor((tooFew + enough) / 2);
    return thenValue(fits(without(middle)), (fit) => (fit ? search(tooFew, middle) : search(middle, enough)));
  };
  return thenValue(fits(messages), (fit) => (fit ? messages : search(0, count)));
}

/**
 * For each message, how many groups leave before its own, those that leave together being one group; infinitely many for one that
 * stays. And how many groups may leave.
 */
function evictionOrder(messages: readonly ChatMessage[]): { readonly places: readonly number[]; readonly count: number } {
  const lastQuestion = messages.findLastIndex(({ role }) => role === 'user');
  let group = -1;
  // Whether the last group is a question that may leave, so that the calls it led to go with it.
  let isQuestionOpen = false;
  const places = messages.map((message, index) => {
    if (message.role === 'system') return Infinity;
    if (index === lastQuestion) {
      isQuestionOpen = false;
      return Infinity;
    }
    const isCall = message.role === 'assistant' && message.toolExecutionRequests.length > 0;
    const joins = message.role === 'tool' || (isCall && isQuestionOpen);
    if (!joins || group < 0) group++;
    if (!joins) isQuestionOpen = message.role === 'user';
    return group;
  });
  const isNewest = places.at(-1) === group;
  return { places, count: isNewest ? group : group + 1 };
}
