import type { ChatModel } from '../../chat/chat-model.ts';
import { providerSettings, type ProviderOptions } from '../provider-options.ts';
import { wireModel } from '../wire-model.ts';
import { ollamaWire } from './ollama-wire.ts';

export type OllamaOptions = ProviderOptions;

export function ollama(options: OllamaOptions): ChatModel {
  return wireModel(ollamaWire, providerSettings('ollama', options, 'http://localhost:11434'));
}
