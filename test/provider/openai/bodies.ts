import type { ChatRequest } from '../../../src/chat/chat-request.ts';
import type { ChatMessage } from '../../../src/chat/message.ts';
import { chatMessagesJson } from '../../../src/provider/openai/chat-messages-json.ts';
import { chatBody } from '../../../src/provider/openai/chat-body.ts';

export { assistant, result, user } from '../messages.ts';

/** The body that a request becomes, as the server reads it. */
export function bodyOf(request: Partial<ChatRequest>, speaksToOpenAi = false): Record<string, unknown> {
  return JSON.parse(
    chatBody(
      { modelName: 'm', messages: [], ...request },
      { speaksToOpenAi, strict: false, messagesJson: chatMessagesJson('test') },
    ),
  ) as Record<string, unknown>;
}

/** The messages of the body. */
export function messagesOf(...messages: readonly ChatMessage[]): unknown {
  return bodyOf({ messages })['messages'];
}
