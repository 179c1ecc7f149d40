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

/** Where memories put their messages: a database, a file, a browser's storage. */
export interface ChatMemoryStore {
  getMessages(id: unknown): Value<readonly ChatMessage[]>;
  updateMessages(id: unknown, messages: readonly ChatMessage[]): Value<void>;
  deleteMessages(id: unknown): Value<void>;
}
