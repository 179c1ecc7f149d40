import type { ChatMessage } from '../chat/message.ts';
import { repairHistory } from './repair-history.ts';

/**
 * A valid history in which each call has an id of its own. Of several with one id the first keeps it, and `note` is told what
 * becomes of the others.
 */
export function uniqueCalls(messages: ChatMessage[], note: (id: string, unique: string) => void): ChatMessage[] {
  const ids = resultIds(messages);
  if (new Set(ids).size === ids.length) return messages;
  const repaired = repairHistory(messages);
  resultIds(repaired).forEach((unique, place) => {
    if (unique !== ids[place]) note(ids[place]!, unique);
  });
  return repaired;
}

/** Each call has one result, in its order. */
const resultIds = (messages: readonly ChatMessage[]) =>
  messages.flatMap((message) => (message.role === 'tool' ? [message.id] : []));
