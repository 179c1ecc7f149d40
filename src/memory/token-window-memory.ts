import type { ChatMessage } from '../chat/message.ts';
import { checkCount, checkKnownOptions, checkMethods, invalidOption, requireFunction } from '../chat/option-checks.ts';
import { thenValue, type Value } from '../chat/value.ts';
import type { ChatMemory, ChatMemoryStore } from './chat-memory.ts';
import { evictOldest } from './eviction.ts';
import { storedMemory } from './stored-memory.ts';

export interface TokenWindowOptions {
  /** How many tokens the kept messages may have together. */
  readonly maxTokens: number;
  /** Counts the tokens of messages: the tokenizer is yours to choose. */
  readonly countTokens: (messages: readonly ChatMessage[]) => Value<number>;
  readonly id?: unknown;
  /** Where the messages are kept; by default in the process. */
  readonly store?: ChatMemoryStore | undefined;
}

/**
 * A memory that keeps the newest messages up to a number of tokens, under the same rules as `messageWindowMemory`.
 *
 * Throws a `ConfigurationError` when `maxTokens` is no whole number above 0 or `countTokens` is missing.
 *
 * @example
 * tokenWindowMemory({ maxTokens: 4000, countTokens: (messages) => JSON.stringify(messages).length / 4 });
 */
export function tokenWindowMemory(options: TokenWindowOptions): ChatMemory {
  checkKnownOptions('tokenWindowMemory', options, ['maxTokens', 'countTokens', 'id', 'store']);
  const { maxTokens, countTokens, id = 'default', store } = options;
  checkCount('tokenWindowMemory', 'maxTokens', maxTokens ?? null, 1);
  checkMethods('tokenWindowMemory', 'store', store, ['getMessages', 'updateMessages', 'deleteMessages']);
  requireFunction('tokenWindowMemory', 'countTokens', countTokens);
  const fits = (messages: readonly ChatMessage[]) =>
    thenValue(countTokens(messages), (tokens) => {
      if (typeof tokens === 'number' && tokens >= 0) return tokens <= maxTokens;
      throw invalidOption('tokenWindowMemory', 'what countTokens returned', tokens, 'it must be a number from 0 up');
    });
  return storedMemory(id, (messages) => evictOldest(messages, fits), store);
}
