import { ChatModelError } from '../chat/chat-model-error.ts';
import type { ChatRequest, ToolChoice } from '../chat/chat-request.ts';
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

/**
 * Throws where the model must call a tool that is none of the request's.
 *
 * @param own - What the request itself says, without the defaults of the model: those hold where there are tools.
 */
export function checkToolChoice(
  api: Api,
  { toolChoice, toolSpecifications = [] }: ChatRequest,
  own: ToolChoice | undefined,
): void {
  if (toolSpecifications.length === 0) {
    if (!own || own === 'auto' || own === 'none') return;
    throw notTaken(api, `toolChoice ${nameOf(own)} without tools`, 'leave it out, or give the request its tools');
  }
  if (typeof toolChoice !== 'object') return;
  const names = toolSpecifications.map(({ name }) => name);
  if (!names.includes(toolChoice.name))
    throw notTaken(api, `toolChoice ${toolChoice.name}, which is no tool of the request`, `choose one of ${names.join(', ')}`);
}

const nameOf = (choice: ToolChoice): string => (typeof choice === 'object' ? choice.name : choice);
