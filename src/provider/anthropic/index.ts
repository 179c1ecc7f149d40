export type { ProviderOptions } from '../provider-options.ts';
export { anthropic, type AnthropicOptions } from './anthropic.ts';
