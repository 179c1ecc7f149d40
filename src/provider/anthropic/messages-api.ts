import type { Api } from '../request-error.ts';

export const messagesApi: Api = { provider: 'anthropic', api: 'Messages API' };

/** Under which attribute an answer keeps its parts. */
export const partsKey = 'anthropic';
