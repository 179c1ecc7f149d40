import { wireName } from '../wire-name.ts';
import type { Api } from '../request-error.ts';

export const geminiApi: Api = { provider: 'gemini', api: 'Gemini API' };

/** A tool's name as this API takes it. */
export const geminiName = (name: string): string => wireName(name, /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/);
