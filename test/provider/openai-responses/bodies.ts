import type { ResponseCreateParamsStreaming, ResponseInputItem } from 'openai/resources/responses/responses';
import type { ChatRequest } from '../../../src/chat/chat-request.ts';
import type { ChatMessage } from '../../../src/chat/message.ts';
import { responsesBody } from '../../../src/provider/openai/responses-body.ts';

/** The body that a request becomes, as the server reads it. */
export function bodyOf(request: Partial<ChatRequest>, strict = false): Record<string, unknown> {
  return JSON.parse(responsesBody({ modelName: 'm', messages: [], ...request }, strict)) as Record<string, unknown>;
}

/** The items of the body's input. */
export function inputOf(...messages: readonly ChatMessage[]): readonly Record<string, unknown>[] {
  return bodyOf({ messages })['input'] as readonly Record<string, unknown>[];
}

/** What OpenAI's own types say of a body; the type checker looks at it. */
export type PublishedBody = ResponseCreateParamsStreaming;
export type PublishedItem = ResponseInputItem;
