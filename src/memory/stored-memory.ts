import { map } from 'rxjs';
import type { ChatMessage } from '../chat/message.ts';
import { fromValue, isSubscribable, thenValue, type Value } from '../chat/value.ts';
import type { ChatMemory, ChatMemoryStore } from './chat-memory.ts';
import { inProcessStore } from './in-process-store.ts';
import { listOfMessages } from './readable-history.ts';

/** A memory over a store that keeps what `fit` lets it keep. As quick as its store: over a synchronous one it is synchronous. */
export function storedMemory(
  id: unknown,
  fit: (messages: readonly ChatMessage[]) => Value<readonly ChatMessage[]>,
  store: ChatMemoryStore = inProcessStore(),
): ChatMemory {
  // A store that knows nothing of an id may say so by returning nothing.
  const readable = (messages: readonly ChatMessage[] | undefined | null) => listOfMessages({ id }, messages ?? []);
  const load = () => thenValue(store.getMessages(id), readable);
  const save = (messages: readonly ChatMessage[]) =>
    thenValue(fit(withOneSystemMessage(messages)), (kept) => store.updateMessages(id, kept));
  return {
    id,
    messages() {
      const read = store.getMessages(id);
      // Given up with whoever has asked: a write alone has to go on.
      return isSubscribable(read) ? fromValue(() => read).pipe(map(readable)) : thenValue(read, readable);
    },
    add: (messages) => thenValue(load(), (kept) => save([...kept, ...messages])),
    set: (messages) => save([...messages]),
    clear: () => store.deleteMessages(id),
    fit,
  };
}

/** The newest system message, first; the others are history. */
function withOneSystemMessage(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const newest = messages.findLast(({ role }) => role === 'system');
  return newest ? [newest, ...messages.filter(({ role }) => role !== 'system')] : messages;
}
