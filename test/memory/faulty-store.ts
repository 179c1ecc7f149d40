import type { ChatMessage } from '../../src/chat/message.ts';
import type { ChatMemory, ChatMemoryStore } from '../../src/memory/chat-memory.ts';
import { messageWindowMemory } from '../../src/memory/message-window-memory.ts';
import { outline } from '../service/support.ts';

type Faults = Partial<ChatMemoryStore>;

/** A store as a database is one, which hands out copies of what it holds, with faults in it. */
export function faultyStore(initial: readonly ChatMessage[] = [], faults: (sound: ChatMemoryStore) => Faults = () => ({})) {
  let row = JSON.stringify(initial);
  const read = () => JSON.parse(row) as readonly ChatMessage[];
  const sound: ChatMemoryStore = {
    getMessages: read,
    updateMessages: (_, messages) => {
      row = JSON.stringify(messages);
    },
    deleteMessages: () => {
      row = '[]';
    },
  };
  const store = { ...sound, ...faults(sound) };
  return {
    store,
    sound,
    /** What is in it, in short. */
    history: () => outline(read()),
    read,
    memory: (maxMessages = 100, id: unknown = 'ada'): ChatMemory => messageWindowMemory({ maxMessages, id, store }),
  };
}

/** Fails the first so many calls of a method, before or after it has done its work. */
export function failingFirst<A extends unknown[], R>(
  times: number,
  method: (...args: A) => R,
  error: unknown,
  when: 'before' | 'after' = 'before',
): (...args: A) => R {
  let calls = 0;
  return (...args) => {
    const isFailing = ++calls <= times;
    if (isFailing && when === 'before') throw error;
    const result = method(...args);
    if (isFailing) throw error;
    return result;
  };
}
