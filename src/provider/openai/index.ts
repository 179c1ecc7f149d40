export type { ProviderOptions as OpenAiChatOptions } from '../provider-options.ts';
export { openAiChat } from './open-ai-chat.ts';
