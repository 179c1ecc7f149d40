import type { ChatRequest as SdkRequest, Message, ToolCall } from 'ollama';
import type { ChatRequest } from '../../../src/chat/chat-request.ts';
import type { ChatMessage } from '../../../src/chat/message.ts';
import { ollamaBody } from '../../../src/provider/ollama/ollama-body.ts';

/** A call as it is sent: its id and place are in the API's documentation, and not yet in the types of its SDK. */
type SentCall = ToolCall & { readonly id: string; readonly function: { readonly index: number } };

export type SentMessage = Omit<Message, 'tool_calls'> & { tool_calls?: SentCall[]; tool_call_id?: string };

/** A request as the API takes it. */
export type SentRequest = Omit<SdkRequest, 'messages'> & { messages?: SentMessage[] };

/** What the SDK takes, this has: were a type of it to change, this would not compile. */
export const asTheSdkTakesIt = (request: SentRequest): SdkRequest => request;

/** The body that a request becomes, as the server reads it. */
export function bodyOf(request: Partial<ChatRequest>): Record<string, unknown> {
  return JSON.parse(ollamaBody({ modelName: 'm', messages: [], ...request })) as Record<string, unknown>;
}

/** The messages of the body. */
export function messagesOf(...messages: readonly ChatMessage[]): unknown {
  return bodyOf({ messages })['messages'];
}
