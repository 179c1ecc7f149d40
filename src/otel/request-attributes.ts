import type { Attributes } from '@opentelemetry/api';
import type { ChatModel } from '../chat/chat-model.ts';
import type { ChatRequest } from '../chat/chat-request.ts';
import type { InvocationContext } from '../tool/invocation-context.ts';
import { attribute, operation } from './gen-ai.ts';

/** Where the conventions have another name for a provider than we. */
const providers: Readonly<Record<string, string>> = { gemini: 'gcp.gemini' };

/** What all metrics of a request have in common. */
export const modelAttributes = (model: ChatModel, modelName: string | undefined): Attributes => ({
  [attribute.operationName]: operation.chat,
  [attribute.providerName]: providers[model.provider] ?? model.provider,
  ...(modelName !== undefined && { [attribute.requestModel]: modelName }),
});

/** The settings of a request. Those that a model adds by itself are not known here. */
export const settingAttributes = (request: ChatRequest): Attributes => ({
  [attribute.frequencyPenalty]: request.frequencyPenalty,
  [attribute.maxTokens]: request.maxOutputTokens,
  [attribute.outputType]: request.responseFormat?.type,
  [attribute.presencePenalty]: request.presencePenalty,
  [attribute.reasoningLevel]: request.reasoning?.effort,
  [attribute.seed]: request.seed,
  [attribute.stopSequences]: request.stopSequences && [...request.stopSequences],
  [attribute.temperature]: request.temperature,
  [attribute.topK]: request.topK,
  [attribute.topP]: request.topP,
});

/** Only an id that is text or a number: what an object would become is no id. */
export function conversationAttributes({ memoryId }: InvocationContext): Attributes {
  const isId = typeof memoryId === 'string' || typeof memoryId === 'number';
  return isId ? { [attribute.conversationId]: String(memoryId) } : {};
}
