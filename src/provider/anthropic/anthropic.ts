import type { ChatModel } from '../../chat/chat-model.ts';
import { providerSettings, type ProviderOptions } from '../provider-options.ts';
import { wireModel } from '../wire-model.ts';
import { anthropicWire } from './anthropic-wire.ts';

export type AnthropicOptions = ProviderOptions;

export function anthropic(options: AnthropicOptions): ChatModel {
  return wireModel(anthropicWire, providerSettings('anthropic', options, 'https://api.anthropic.com/v1'));
}
