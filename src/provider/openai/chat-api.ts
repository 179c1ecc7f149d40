import type { Api } from '../request-error.ts';

export const chatApi: Api = { provider: 'openai', api: 'chat-completions API' };
