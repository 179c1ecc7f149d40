import type { ChatMessage } from '../chat/message.ts';
import type { ChatMemoryStore } from './chat-memory.ts';

/** Keeps the messages of one memory for as long as the process lives. */
export function inProcessStore(): ChatMemoryStore {
  let kept: readonly ChatMessage[] = [];
  return {
    getMessages: () => kept,
    updateMessages: (_, messages) => {
      kept = messages;
    },
    deleteMessages: () => {
      kept = [];
    },
  };
}
