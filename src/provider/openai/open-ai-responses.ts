import type { ChatModel } from '../../chat/chat-model.ts';
import { providerSettings, type ProviderOptions } from '../provider-options.ts';
import { wireModel } from '../wire-model.ts';
import { openAiResponsesWire } from './responses-wire.ts';

export type OpenAiResponsesOptions = ProviderOptions;

export function openAiResponses(options: OpenAiResponsesOptions): ChatModel {
  return wireModel(openAiResponsesWire, providerSettings('openAiResponses', options, 'https://api.openai.com/v1'));
}
