import { catchError, map, type Observable } from 'rxjs';
import { ChatModelError } from '../chat/chat-model-error.ts';
import { fromValue } from '../chat/value.ts';
import { messageOf } from '../tool/tool-errors.ts';
import type { ProviderSettings } from './provider-options.ts';
import type { Wire } from './wire.ts';

/** By their names in small letters. Plain, since `fetch` takes a `Headers` apart piece by piece: a tenth of the work of a round. */
export type HttpHeaders = Readonly<Record<string, string>>;

/**
 * Asks for the headers of a request, with the key where there is one: they are there at once unless the key has to be fetched. Throws, or
 * errors with, a `ChatModelError` that shows no value of them.
 */
export function httpHeaders(
  wire: Pick<Wire, 'provider' | 'framing' | 'headers'>,
  { apiKey, headers = {} }: ProviderSettings,
): () => HttpHeaders | Observable<HttpHeaders> {
  const { provider } = wire;
  const withKey = (key: string | undefined): HttpHeaders => {
    const all = new Headers({ 'content-type': 'application/json', accept: wire.framing.accept });
    const entries = [...Object.entries(wire.headers(key || undefined)), ...Object.entries(headers)];
    for (const [name, value] of entries) set(all, provider, name, value);
    return Object.fromEntries(all);
  };
  let unchanging: HttpHeaders | undefined;
  if (typeof apiKey !== 'function') return () => (unchanging ??= withKey(apiKey));
  const fetched$ = fromValue<unknown>(apiKey).pipe(
    map((key) => {
      // Not shown: it may hold the key.
      if (key !== undefined && typeof key !== 'string') throw new TypeError(`it must return a text, and no ${typeof key}`);
      return key;
    }),
    catchError((cause: unknown) => {
      const message = `${provider}: the function apiKey failed: ${messageOf(cause)}`;
      throw new ChatModelError(message, { kind: 'authentication', provider, retryable: false, cause });
    }),
    map(withKey),
  );
  return () => fetched$;
}

function set(headers: Headers, provider: string, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    // The platform's own error quotes the value.
    const message = `${provider}: the header ${name.replace(/[^!-~]+/g, ' ')} can't be sent: it has a character, such as a line break, that headers must not have.`;
    throw new ChatModelError(message, { kind: 'invalidRequest', provider, retryable: false });
  }
}
