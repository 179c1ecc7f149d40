import type { ChatModel } from '../../src/chat/chat-model.ts';
import { anthropic } from '../../src/provider/anthropic/anthropic.ts';
import { gemini } from '../../src/provider/gemini/gemini.ts';
import { ollama } from '../../src/provider/ollama/ollama.ts';
import { openAiChat } from '../../src/provider/openai/open-ai-chat.ts';
import { openAiResponses } from '../../src/provider/openai/open-ai-responses.ts';
import type { ProviderOptions } from '../../src/provider/provider-options.ts';

/** Each wire's model, under the name that the cases give the wire. */
export const wireModels = {
  'openai-chat': openAiChat,
  'openai-responses': openAiResponses,
  anthropic,
  gemini,
  ollama,
} satisfies Record<string, (options: ProviderOptions) => ChatModel>;

export type WireProvider = keyof typeof wireModels;
