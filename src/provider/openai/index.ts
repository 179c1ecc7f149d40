export type { ProviderOptions } from '../provider-options.ts';
export { openAiChat, type OpenAiChatOptions } from './open-ai-chat.ts';
export { openAiResponses, type OpenAiResponsesOptions } from './open-ai-responses.ts';
export type { ThinkingTags } from '../thinking-tags.ts';
