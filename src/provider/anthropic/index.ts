export type { ProviderOptions } from '../provider-options.ts';
export { anthropic, type AnthropicOptions } from './anthropic.ts';
export type { CacheControl } from './prompt-cache.ts';
