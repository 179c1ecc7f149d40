import { jsonText } from '../chat/json-safe.ts';
import { invalidOption } from '../chat/option-checks.ts';
import type { ChatMemory } from '../memory/chat-memory.ts';
import { isChatMemory } from '../memory/is-chat-memory.ts';
import type { AiServiceOptions } from './options.ts';

/** The memories of a service by id. */
export interface Memories {
  /** Throws a `ConfigurationError` for an id that can't have a memory. */
  get(memoryId: unknown): ChatMemory | undefined;
  evict(memoryId: unknown): void;
}

const defaultId = 'default';

export function memories({ chatMemory, chatMemoryProvider }: AiServiceOptions<unknown>): Memories {
  const cached = new Map<unknown, ChatMemory>();
  return {
    get(memoryId) {
      if (typeof memoryId === 'string' && !memoryId.trim())
        throw invalidOption('an invocation', 'memoryId', memoryId, 'leave it out for the default memory');
      if (!chatMemoryProvider) {
        if (!chatMemory || memoryId === undefined || memoryId === null) return chatMemory;
        throw invalidOption(
          'an invocation',
          'memoryId',
          memoryId,
          'this service has one chatMemory for all; set chatMemoryProvider for a memory per id',
        );
      }
      const id = memoryId ?? defaultId;
      const memory = cached.get(id) ?? chatMemoryProvider(id);
      if (!isChatMemory(memory)) {
        throw invalidOption(
          'aiService',
          `what chatMemoryProvider returned for ${jsonText(id)}`,
          memory,
          'it must be a chat memory, and no promise of one',
        );
      }
      cached.set(id, memory);
      return memory;
    },
    evict: (memoryId) => {
      cached.delete(memoryId ?? defaultId);
    },
  };
}
