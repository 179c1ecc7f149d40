import type { ChatModel } from '../../chat/chat-model.ts';
import { providerSettings, type ProviderOptions } from '../provider-options.ts';
import { wireModel } from '../wire-model.ts';
import { anthropicWire } from './anthropic-wire.ts';
import { cacheMarks, type CacheControl } from './prompt-cache.ts';

export interface AnthropicOptions extends ProviderOptions {
  /**
   * Whether the API keeps what it has read, so that the next request pays less for it: up to the end of the system
   * messages, of the tools and of the last message. `true` is all three; none by default.
   */
  readonly cacheControl?: boolean | CacheControl | undefined;
}

/**
 * A model behind Anthropic's Messages API.
 *
 * The API wants a limit for each answer: 32,000 tokens unless `maxOutputTokens` says else (more, if `reasoning.budget` takes
 * nearly all of them). `reasoning.effort` is for models from Claude 4.6 on, which decide themselves how long to think
 * (`minimal` is the API's `low`); `reasoning.budget` is for older ones, and 0 switches thinking off. Many models keep their
 * thinking to themselves unless `providerOptions: { thinking: { display: 'summarized' } }` asks for it.
 *
 * Throws a `ConfigurationError` when an option can't work; a request that fails errors with a `ChatModelError`.
 *
 * @example
 * const model = anthropic({ modelName: 'claude-sonnet-5', apiKey: () => vault.read('anthropic'), cacheControl: true });
 */
export function anthropic(options: AnthropicOptions): ChatModel {
  const settings = providerSettings('anthropic', options, 'https://api.anthropic.com/v1', ['cacheControl']);
  return wireModel(anthropicWire(cacheMarks('anthropic', options.cacheControl)), settings);
}
