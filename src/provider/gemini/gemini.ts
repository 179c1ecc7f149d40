import type { ChatModel } from '../../chat/chat-model.ts';
import { providerSettings, type ProviderOptions } from '../provider-options.ts';
import { wireModel } from '../wire-model.ts';
import { geminiWire } from './gemini-wire.ts';

export type GeminiOptions = ProviderOptions;

export function gemini(options: GeminiOptions): ChatModel {
  return wireModel(geminiWire, providerSettings('gemini', options, 'https://generativelanguage.googleapis.com/v1beta'));
}
