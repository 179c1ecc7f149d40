export type { ProviderOptions } from '../provider-options.ts';
export { ollama, type OllamaOptions } from './ollama.ts';
