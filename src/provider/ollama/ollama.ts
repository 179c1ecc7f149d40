import type { ChatModel } from '../../chat/chat-model.ts';
import { providerSettings, type ProviderOptions } from '../provider-options.ts';
import { wireModel } from '../wire-model.ts';
import { ollamaWire } from './ollama-wire.ts';

export type OllamaOptions = ProviderOptions;

/**
 * A model behind Ollama's own API, on this machine by default. What that API alone knows goes into `providerOptions`.
 *
 * Throws a `ConfigurationError` when an option can't work; a request that fails errors with a `ChatModelError`.
 *
 * @example
 * const local = ollama({ modelName: 'qwen3', defaultRequest: { providerOptions: { keep_alive: '1h', options: { num_ctx: 32_768 } } } });
 * const cloud = ollama({ modelName: 'gpt-oss:120b', baseUrl: 'https://ollama.com', apiKey: () => vault.read('ollama') });
 */
export function ollama(options: OllamaOptions): ChatModel {
  return wireModel(ollamaWire, providerSettings('ollama', options, 'http://localhost:11434'));
}
