import type { ChatMemory } from './chat-memory.ts';

/** Whether it has what an invocation needs. */
export function isChatMemory(memory: unknown): memory is ChatMemory {
  const { messages, add, set } = (memory ?? {}) as Partial<ChatMemory>;
  return [messages, add, set].every((method) => typeof method === 'function');
}
