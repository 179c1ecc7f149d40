import type { ChatMessage, ToolExecutionRequest } from '../chat/message.ts';
import { isSaid } from './is-said.ts';

/** What one invocation has said by now. */
interface Said {
  /** The question as the model gets it, and the rounds that were written behind it; without those that the window has let go of. */
  readonly own: readonly ChatMessage[];
  /** The question as memory keeps it. */
  readonly kept: ChatMessage;
  /** All its calls, by their ids. */
  readonly calls: ReadonlyMap<string, ToolExecutionRequest>;
}

/**
 * The history as an invocation gets it that goes on. Others may have used the memory in between: then what it has said itself comes
 * last, since the model answers what is asked last, and whether or not the window has let go of it.
 */
export function ownLast(known: readonly ChatMessage[], { own, kept, calls }: Said): ChatMessage[] {
  // An id alone says little: where a provider repeats ids, others have had the same.
  const isOwnCall = ({ id, name, arguments: written }: ToolExecutionRequest) => {
    const call = calls.get(id);
    return call?.name === name && call.arguments === written;
  };
  const isOwn = (message: ChatMessage | undefined) =>
    message?.role === 'assistant' && message.toolExecutionRequests.some(isOwnCall);
  const first = known.findIndex(isOwn);
  const asked = known.findLastIndex(({ role }, place) => role === 'user' && place < first);
  const isAsked = asked >= 0 && isSaid(known[asked], kept);
  const isLast = known.slice(asked + 1).every((message) => message.role === 'tool' || isOwn(message));
  if (isAsked && isLast) return known.with(asked, own[0]!);
  let isLeftOut = false;
  const others = known.filter((message, place) => {
    // Results go with their calls. Ids that a provider repeats may be those of others too, once the window has let go of ours.
    if (message.role !== 'tool') isLeftOut = isOwn(message) || (isAsked && place === asked);
    return !isLeftOut;
  });
  return [...others, ...own];
}
