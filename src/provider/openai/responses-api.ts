import type { Api } from '../request-error.ts';

export const responsesApi: Api = { provider: 'openai', api: 'Responses API' };
