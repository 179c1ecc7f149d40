import type { ChatModel } from '../index.ts';
import { anthropic } from '../provider/anthropic/index.ts';
import { gemini } from '../provider/gemini/index.ts';
import { ollama } from '../provider/ollama/index.ts';
import { openAiChat, openAiResponses, type ProviderOptions } from '../provider/openai/index.ts';

/** One provider as the environment speaks of it: under the variables that its own tools use. */
export interface DemoProvider {
  readonly model: (options: ProviderOptions) => ChatModel;
  /** Any one of them holds the key. */
  readonly keys: readonly string[];
  readonly url: string;
  readonly modelName: string;
  readonly defaultModelName: string;
  /** When it works without a key: always, or only at a URL of one's own. */
  readonly keyless: 'always' | 'withUrl';
  /** The base URL in the variable, as our option wants it. */
  readonly baseUrl: (url: string) => string;
}

const asItIs = (url: string) => url;

const openAi = {
  keys: ['OPENAI_API_KEY'],
  url: 'OPENAI_BASE_URL',
  modelName: 'OPENAI_MODEL',
  defaultModelName: 'gpt-5-mini',
  keyless: 'withUrl',
  baseUrl: asItIs,
} as const;

export const providers: Readonly<Record<string, DemoProvider>> = {
  openai: { ...openAi, model: openAiChat },
  'openai-responses': { ...openAi, model: openAiResponses },
  anthropic: {
    model: anthropic,
    keys: ['ANTHROPIC_API_KEY'],
    url: 'ANTHROPIC_BASE_URL',
    modelName: 'ANTHROPIC_MODEL',
    defaultModelName: 'claude-sonnet-5-5',
    keyless: 'withUrl',
    // Anthropic's own tools add the version to it.
    baseUrl: (url) => `${url.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`,
  },
  gemini: {
    model: gemini,
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    url: 'GEMINI_BASE_URL',
    modelName: 'GEMINI_MODEL',
    defaultModelName: 'gemini-flash-latest',
    keyless: 'withUrl',
    baseUrl: asItIs,
  },
  ollama: {
    model: ollama,
    keys: ['OLLAMA_API_KEY'],
    url: 'OLLAMA_HOST',
    modelName: 'OLLAMA_MODEL',
    defaultModelName: 'qwen3',
    keyless: 'always',
    // The server's own variable may be a host alone.
    baseUrl: (host) => (/^https?:\/\//.test(host) ? host : `http://${/:\d+$/.test(host) ? host : `${host}:11434`}`),
  },
};
