import type { ChatMessage } from '../chat/message.ts';
import type { Value } from '../chat/value.ts';

/** The conversation so far, kept between invocations. */
export interface ChatMemory {
  readonly id: unknown;
  messages(): Value<readonly ChatMessage[]>;
  /** Appends messages that belong together: a call always comes with its results. */
  add(messages: readonly ChatMessage[]): Value<void>;
  /** Replaces everything. */
  set(messages: readonly ChatMessage[]): Value<void>;
  clear(): Value<void>;
  /** What this memory would keep of these messages. Where it is given, requests under way are cut to it too. */
  fit?(messages: readonly ChatMessage[]): Value<readonly ChatMessage[]>;
}

/**
 * Where memories put their messages: a database, a file, a browser's storage. What a method returns may be a value, a promise or an
 * Observable; of one that is read the first value counts, and one that writes has written when it completes. Messages are
 * never to be changed: an invocation goes on with those that it has got from a store, and those that it has given to it.
 */
export interface ChatMemoryStore {
  /** All messages of a memory; none, or nothing, for an id that the store does not know. */
  getMessages(id: unknown): Value<readonly ChatMessage[]>;
  /** Puts these in the place of all that is there. */
  updateMessages(id: unknown, messages: readonly ChatMessage[]): Value<void>;
  deleteMessages(id: unknown): Value<void>;
}
