import { ConfigurationError } from '../chat/configuration-error.ts';
import { jsonText } from '../chat/json-safe.ts';
import type { ChatMemory } from '../memory/chat-memory.ts';
import type { AiServiceOptions } from './options.ts';

/** The memories of a service by id. */
export interface Memories {
  /** Throws a `ConfigurationError` for an id that can't have a memory. */
  get(memoryId: unknown): ChatMemory | undefined;
  evict(memoryId: unknown): void;
}

const defaultId = 'default';

export function memories({ chatMemory, chatMemoryProvider }: AiServiceOptions): Memories {
  const cached = new Map<unknown, ChatMemory>();
  return {
    get(memoryId) {
      if (typeof memoryId === 'string' && !memoryId.trim()) throw new ConfigurationError('memoryId is blank: leave it out for the default memory, or name one.');
      if (!chatMemoryProvider) {
        if (!chatMemory || memoryId === undefined || memoryId === null) return chatMemory;
        throw new ConfigurationError(
          `memoryId is ${jsonText(memoryId)}, but this service has one chatMemory for all: set chatMemoryProvider, so that each id has a memory of its own.`,
        );
      }
      const id = memoryId ?? defaultId;
      const memory = cached.get(id) ?? chatMemoryProvider(id);
      if (typeof (memory as Partial<ChatMemory> | undefined)?.messages !== 'function') {
        throw new ConfigurationError(`chatMemoryProvider returned ${jsonText(memory)} for ${jsonText(id)}; it must return a chat memory.`);
      }
      cached.set(id, memory);
      return memory;
    },
    evict: (memoryId) => {
      cached.delete(memoryId ?? defaultId);
    },
  };
}
