import type { ChatMessage } from '../chat/message.ts';
import { isSaid } from './is-said.ts';

/** What one invocation has said by now. */
interface Said {
  /** The question as the model gets it, and the rounds that were written behind it; without those that the window has let go of. */
  readonly own: readonly ChatMessage[];
  /** The question as memory keeps it. */
  readonly kept: ChatMessage;
  /** The ids of all its calls. */
  readonly callIds: ReadonlySet<string>;
}

/**
 * The history as an invocation gets it that goes on. Others may have used the memory in between: then what it has said itself comes
 * last, since the model answers what is asked last, and whether or not the window has let go of it.
 */
export function ownLast(known: readonly ChatMessage[], { own, kept, callIds }: Said): ChatMessage[] {
  const isOwn = (message: ChatMessage | undefined) =>
    message?.role === 'tool'
      ? callIds.has(message.id)
      : message?.role === 'assistant' && message.toolExecutionRequests.some(({ id }) => callIds.has(id));
  const first = known.findIndex(isOwn);
  const asked = known.findLastIndex(({ role }, place) => role === 'user' && place < first);
  const isAsked = asked >= 0 && isSaid(known[asked], kept);
  if (isOwn(known.at(-1))) return isAsked ? known.with(asked, own[0]!) : [...known];
  return [...known.filter((message, place) => !isOwn(message) && !(isAsked && place === asked)), ...own];
}
