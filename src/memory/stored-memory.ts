import type { ChatMessage } from '../chat/message.ts';
import { thenValue, type Value } from '../chat/value.ts';
import type { ChatMemory, ChatMemoryStore } from './chat-memory.ts';
import { inProcessStore } from './in-process-store.ts';

/** A memory over a store that keeps what `fit` lets it keep. As quick as its store: over a synchronous one it is synchronous. */
export function storedMemory(
  id: unknown,
  fit: (messages: readonly ChatMessage[]) => Value<readonly ChatMessage[]>,
  store: ChatMemoryStore = inProcessStore(),
): ChatMemory {
  const load = () => thenValue(store.getMessages(id), (messages) => readable(id, messages));
  const save = (messages: readonly ChatMessage[]) =>
    thenValue(fit(withOneSystemMessage(messages)), (kept) => store.updateMessages(id, kept));
  return {
    id,
    messages: () => thenValue(load(), (messages) => [...messages]),
    add: (messages) => thenValue(load(), (kept) => save([...kept, ...messages])),
    set: (messages) => save([...messages]),
    clear: () => store.deleteMessages(id),
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
