import type { ChatRequest } from '../../../src/chat/chat-request.ts';
import type { AiMessage, ChatMessage } from '../../../src/chat/message.ts';
import { messagesBody } from '../../../src/provider/anthropic/messages-body.ts';
import type { CacheMarks } from '../../../src/provider/anthropic/prompt-cache.ts';
import { assistant, result, user } from '../messages.ts';
import { turnOf } from './turns.ts';

export { assistant, result, user };

/** What the model answered with these events, as a message of the history. */
export function answered(...events: readonly object[]): AiMessage {
  const { response, error } = turnOf(...events);
  if (!response) throw error;
  return response.aiMessage;
}

/** The body that a request becomes, as the server reads it. */
export function bodyOf(request: Partial<ChatRequest>, marks: CacheMarks = {}): Record<string, unknown> {
  return JSON.parse(bodyText(request, marks)) as Record<string, unknown>;
}

export function bodyText(request: Partial<ChatRequest>, marks: CacheMarks = {}): string {
  return messagesBody({ modelName: 'm', messages: [], ...request }, marks);
}

/** The messages of the body. */
export function sentMessages(...messages: readonly ChatMessage[]): unknown {
  return bodyOf({ messages })['messages'];
}

/** The blocks of one message as they are sent; `undefined` where it is left out. */
export function sentBlocks(message: ChatMessage): unknown {
  const before = message.role === 'assistant' ? [user('?')] : [];
  const sent = sentMessages(...before, message) as readonly { readonly content: unknown }[];
  return sent[before.length]?.content;
}
