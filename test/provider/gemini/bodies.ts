import type { ChatRequest } from '../../../src/chat/chat-request.ts';
import type { Content } from '../../../src/chat/content.ts';
import type { ChatMessage, ToolExecutionRequest, ToolExecutionResultMessage } from '../../../src/chat/message.ts';
import { geminiBody } from '../../../src/provider/gemini/gemini-body.ts';

export const user = (...contents: readonly (string | Content)[]): ChatMessage => ({
  role: 'user',
  contents: contents.map((content) => (typeof content === 'string' ? { type: 'text', text: content } : content)),
});

export { assistant } from '../messages.ts';

export const call = (id: string, name: string, written = '{}'): ToolExecutionRequest => ({ id, name, arguments: written });

export const result = (
  id: string,
  toolName: string,
  content: string | readonly Content[],
  isError = false,
): ToolExecutionResultMessage => ({
  role: 'tool',
  id,
  toolName,
  contents: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  isError,
});

/** A model that came before Gemini 3. */
export const early = 'gemini-2.5-flash';

/** The body that a request becomes, as the server reads it. */
export function bodyOf(request: Partial<ChatRequest>): Record<string, unknown> {
  return JSON.parse(geminiBody({ modelName: 'gemini-3-pro-preview', messages: [user('Hello')], ...request })) as Record<
    string,
    unknown
  >;
}

/** The contents of the body. */
export function contentsOf(messages: readonly ChatMessage[], modelName = 'gemini-3-pro-preview'): unknown {
  return bodyOf({ messages, modelName })['contents'];
}
