import type { ChatModel } from '../../chat/chat-model.ts';
import { checkFlag } from '../../chat/option-checks.ts';
import { providerSettings, type ProviderOptions } from '../provider-options.ts';
import { checkThinkingTags, type ThinkingTags } from '../thinking-tags.ts';
import { wireModel } from '../wire-model.ts';
import { chatWire } from './chat-wire.ts';

export interface OpenAiChatOptions extends ProviderOptions {
  /**
   * Between which marks the model puts its thinking into its text, as in `['<think>', '</think>']`; none by default. With
   * them, blanks at the start of the text and behind thinking are left out, and all others kept.
   */
  readonly thinkingTags?: ThinkingTags | undefined;
  /**
   * Whether tools and response schemas are sent in strict mode, in which the model's JSON always fits; false by default. A
   * schema that strict mode has no form for is sent as it is, with a warning.
   */
  readonly strict?: boolean | undefined;
}

/** OpenAI itself, and Azure, which serves it. */
const openAiUrl = /^https?:\/\/([^/?#]+\.)?(openai|azure)\.com([:/?#]|$)/;

/**
 * A model behind the chat-completions API of OpenAI, or of any server that speaks it.
 *
 * Throws a `ConfigurationError` when an option can't work; a request that fails errors with a `ChatModelError`.
 *
 * @example
 * const model = openAiChat({ modelName: 'gpt-5-mini', apiKey: () => vault.read('openai') });
 * const local = openAiChat({ modelName: 'qwen3', baseUrl: 'http://localhost:11434/v1' });
 */
export function openAiChat(options: OpenAiChatOptions): ChatModel {
  const settings = providerSettings('openAiChat', options, 'https://api.openai.com/v1', ['thinkingTags', 'strict']);
  const { thinkingTags, strict = false } = options;
  checkThinkingTags('openAiChat', thinkingTags);
  checkFlag('openAiChat', 'strict', strict);
  const speaksToOpenAi = openAiUrl.test(settings.baseUrl);
  const server = new URL(settings.baseUrl).host;
  return wireModel(chatWire({ speaksToOpenAi, strict, server, tags: thinkingTags }), settings);
}
