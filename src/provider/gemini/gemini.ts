import type { ChatModel } from '../../chat/chat-model.ts';
import { providerSettings, type ProviderOptions } from '../provider-options.ts';
import { wireModel } from '../wire-model.ts';
import { geminiWire } from './gemini-wire.ts';

export type GeminiOptions = ProviderOptions;

/**
 * A model behind Google's Gemini API, or behind Vertex AI's with the `baseUrl` of a project (up to `/publishers/google`) and
 * its token in `headers: { authorization }` instead of a key.
 *
 * Throws a `ConfigurationError` when an option can't work; a request that fails errors with a `ChatModelError`.
 *
 * @example
 * const model = gemini({ modelName: 'gemini-3-flash-preview', apiKey: () => vault.read('gemini') });
 */
export function gemini(options: GeminiOptions): ChatModel {
  return wireModel(geminiWire, providerSettings('gemini', options, 'https://generativelanguage.googleapis.com/v1beta'));
}
