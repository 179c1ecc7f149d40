import type { ChatModel } from '../../chat/chat-model.ts';
import { checkFlag } from '../../chat/option-checks.ts';
import { providerSettings, type ProviderOptions } from '../provider-options.ts';
import { wireModel } from '../wire-model.ts';
import { responsesWire } from './responses-wire.ts';

export interface OpenAiResponsesOptions extends ProviderOptions {
  /**
   * Whether tools and response schemas are sent in strict mode, in which the model's JSON always fits; false by default. A
   * schema that strict mode has no form for is sent as it is, with a warning.
   */
  readonly strict?: boolean | undefined;
}

/**
 * A model behind the Responses API of OpenAI, or of any server that speaks it. Nothing is stored there: what the model needs
 * of its reasoning comes to us encrypted and goes back with the history. `providerOptions: { store: true }` stores it;
 * `providerOptions: { include: [] }` is for a model that refuses to give its reasoning because it has none.
 *
 * Throws a `ConfigurationError` when an option can't work; a request that fails errors with a `ChatModelError`.
 *
 * @example
 * const model = openAiResponses({ modelName: 'gpt-5-mini', apiKey: () => vault.read('openai') });
 */
export function openAiResponses(options: OpenAiResponsesOptions): ChatModel {
  const settings = providerSettings('openAiResponses', options, 'https://api.openai.com/v1', ['strict']);
  const { strict = false } = options;
  checkFlag('openAiResponses', 'strict', strict);
  return wireModel(responsesWire(strict), settings);
}
