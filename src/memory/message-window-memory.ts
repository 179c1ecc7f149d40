import { checkCount, checkKnownOptions, checkMethods } from '../chat/option-checks.ts';
import type { ChatMemory, ChatMemoryStore } from './chat-memory.ts';
import { evictOldest } from './eviction.ts';
import { storedMemory } from './stored-memory.ts';

export interface MessageWindowOptions {
  /** How many messages are kept, the system message among them. */
  readonly maxMessages: number;
  readonly id?: unknown;
  /** Where the messages are kept; by default in the process. */
  readonly store?: ChatMemoryStore | undefined;
}

/**
 * A memory that keeps the newest messages. Calls leave together with their results, so that what is left is always a
 * conversation; a unit that can't be parted may exceed the window.
 *
 * Throws a `ConfigurationError` when `maxMessages` is no whole number above 0.
 *
 * @example
 * aiService({ model, chatMemory: messageWindowMemory({ maxMessages: 20 }) });
 */
export function messageWindowMemory(options: MessageWindowOptions): ChatMemory {
  checkKnownOptions('messageWindowMemory', options, ['maxMessages', 'id', 'store']);
  const { maxMessages, id = 'default', store } = options;
  checkCount('messageWindowMemory', 'maxMessages', maxMessages ?? null, 1);
  checkMethods('messageWindowMemory', 'store', store, ['getMessages', 'updateMessages', 'deleteMessages']);
  return storedMemory(id, (messages) => evictOldest(messages, ({ length }) => length <= maxMessages), store);
}
