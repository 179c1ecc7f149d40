export type { ProviderOptions } from '../provider-options.ts';
export { gemini, type GeminiOptions } from './gemini.ts';
