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

/** Throws where the tool that the model must call is none of the request's. */
export function checkToolChoice(api: Api, { toolChoice, toolSpecifications = [] }: ChatRequest): void {
  if (typeof toolChoice !== 'object' || toolSpecifications.length === 0) return;
  const names = toolSpecifications.map(({ name }) => name);
  if (!names.includes(toolChoice.name))
    throw notTaken(api, `toolChoice ${toolChoice.name}, which is no tool of the request`, `choose one of ${names.join(', ')}`);
}
