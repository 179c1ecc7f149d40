import type { Api } from '../request-error.ts';

export const ollamaApi: Api = { provider: 'ollama', api: 'Ollama API' };
