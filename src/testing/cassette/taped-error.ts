import { ChatModelError, type ChatModelErrorDetails, type ChatModelErrorKind } from '../../chat/chat-model-error.ts';
import { jsonCopy } from './json-copy.ts';

/** An error as JSON. Its cause is left out: it is for people who debug, and may hold anything. */
export type TapedError =
  | ({ readonly name: 'ChatModelError'; readonly message: string } & Omit<ChatModelErrorDetails, 'cause'>)
  | { readonly name: string; readonly message: string; readonly kind?: never }
  | { readonly thrown: unknown };

/** Checked by the compiler to name every kind. */
const kinds: Readonly<Record<ChatModelErrorKind, true>> = {
  authentication: true,
  permission: true,
  rateLimit: true,
  invalidRequest: true,
  notFound: true,
  overloaded: true,
  contentFilter: true,
  server: true,
  network: true,
  interrupted: true,
  timeout: true,
  malformedResponse: true,
};

export const errorKinds = Object.keys(kinds) as readonly ChatModelErrorKind[];

export function tapedError(error: unknown): TapedError {
  if (!(error instanceof Error)) return { thrown: jsonCopy(error) ?? null };
  const { name, message } = error;
  if (!isChatModelError(error)) return { name, message };
  const { kind, provider, status, requestId, retryable, retryAfter } = error;
  const details = { kind, provider, status, requestId, retryable, retryAfter };
  return jsonCopy({ name, message, ...details }) as TapedError;
}

/** The error again, of its class where that is `ChatModelError`. */
export function untapedError(taped: TapedError): unknown {
  if ('thrown' in taped) return taped.thrown;
  if (taped.kind !== undefined) return new ChatModelError(taped.message, taped);
  const error = new Error(taped.message);
  if (taped.name !== error.name) Object.defineProperty(error, 'name', { value: taped.name, configurable: true, writable: true });
  return error;
}

/** Also of another copy of this library, such as the CommonJS one. */
function isChatModelError(error: Error): error is ChatModelError {
  return error.name === 'ChatModelError' && kinds[(error as ChatModelError).kind] === true;
}
