import { concatMap, map, type Observable } from 'rxjs';
import type { ChatMessage } from '../chat/message.ts';
import { fromTask, fromValue, type Value } from '../chat/value.ts';
import type { ChatMemory, ChatMemoryStore } from './chat-memory.ts';
import { inProcessStore } from './in-process-store.ts';

/** A memory over a store that keeps what `fit` lets it keep. */
export function storedMemory(
  id: unknown,
  fit: (messages: readonly ChatMessage[]) => Value<readonly ChatMessage[]>,
  store: ChatMemoryStore = inProcessStore(),
): ChatMemory {
  const load = (): Observable<readonly ChatMessage[]> => fromValue(() => store.getMessages(id)).pipe(map((messages) => readable(id, messages)));
  const save = (messages: readonly ChatMessage[]) =>
    fromValue(() => fit(withOneSystemMessage(messages))).pipe(concatMap((kept) => fromTask(() => store.updateMessages(id, kept))));
  return {
    id,
    messages: () => load().pipe(map((messages) => [...messages])),
    add: (messages) => load().pipe(concatMap((kept) => save([...kept, ...messages]))),
    set: (messages) => save([...messages]),
    clear: () => fromTask(() => store.deleteMessages(id)),
    fit,
  };
}

function readable(id: unknown, messages: unknown): readonly ChatMessage[] {
  if (messages === undefined || messages === null) return [];
  if (Array.isArray(messages)) return messages as readonly ChatMessage[];
  throw new TypeError(`The store of chat memory ${String(id)} returned ${typeof messages} instead of an array of messages.`);
}

/** The newest system message, first; the others are history. */
function withOneSystemMessage(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const newest = messages.findLast(({ role }) => role === 'system');
  return newest ? [newest, ...messages.filter(({ role }) => role !== 'system')] : messages;
}
