import { ChatModelError } from '../chat/chat-model-error.ts';
import type { ChatRequest } from '../chat/chat-request.ts';
import type { Wire } from './wire.ts';

/** The API that a request is for. */
export type Api = Pick<Wire, 'provider' | 'api'>;

/** The error for what an API does not take, before the request goes out: what it is, and what to do instead. */
export function notTaken({ provider, api }: Api, what: string, remedy: string): ChatModelError {
  const message = `${provider}: the ${api} does not take ${what}: ${remedy}.`;
  return new ChatModelError(message, { kind: 'invalidRequest', provider, retryable: false });
}

/** Throws for the first setting of the request that the API has no word for, and tells the remedy that stands beside it. */
export function checkSettings(
  api: Api,
  request: ChatRequest,
  remedies: Readonly<Partial<Record<keyof ChatRequest, string>>>,
): void {
  for (const [setting, remedy] of Object.entries(remedies)) {
    if (request[setting as keyof ChatRequest] !== undefined) throw notTaken(api, setting, remedy);
  }
}
