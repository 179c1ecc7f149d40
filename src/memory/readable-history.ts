import type { ChatMessage } from '../chat/message.ts';
import type { ChatMemory } from './chat-memory.ts';

/** What a memory returned, as messages; throws a `TypeError` that says what to do when it is something else. */
export function readableHistory({ id }: ChatMemory, loaded: unknown): readonly ChatMessage[] {
  const isHistory = Array.isArray(loaded) && loaded.every(isMessage);
  if (isHistory) return loaded as readonly ChatMessage[];
  throw new TypeError(`Chat memory ${String(id)} did not return chat messages: read stored ones with parseMessages.`);
}

function isMessage(value: unknown): boolean {
  const { role, text, contents, toolExecutionRequests } = (value ?? {}) as Record<string, unknown>;
  if (role === 'system') return typeof text === 'string';
  if (role === 'assistant') return Array.isArray(toolExecutionRequests);
  return (role === 'user' || role === 'tool') && Array.isArray(contents);
}
