import { ChatModelError } from '../chat/chat-model-error.ts';
import { parseJson } from '../chat/parse-json.ts';
import { messageOf } from '../tool/tool-errors.ts';
import type { HttpErrors } from './http-stream.ts';
import { providerError, redactedWords, wordsIn } from './provider-error.ts';

/** A page is not told more: the browser keeps from it whether there is no server or one that does not allow it. */
function hint(): string {
  return typeof document === 'undefined' ? '' : ' (is it there, and does it allow this page by its CORS headers?)';
}

/** How much of a body that is no JSON is shown, in characters. */
const shownLength = 300;
/** How much of an error's body is read, in characters. */
const readLength = 65_536;

/** The errors of one provider's requests. `redact` takes out what must not be seen. */
export function httpErrors(provider: string, url: string, now: () => number, redact: (text: string) => string): HttpErrors {
  return {
    network(cause) {
      const reason = reasonOf(cause);
      if (/redirect/i.test(reason)) return redirected(provider, url);
      return new ChatModelError(`${provider}: the request to ${placeOf(url)} could not be sent: ${redact(reason)}${hint()}`, {
        kind: 'network',
        provider,
        retryable: true,
      });
    },
    interrupted: (cause) =>
      new ChatModelError(`${provider}: the connection was lost while the answer was read: ${redact(reasonOf(cause))}`, {
        kind: 'interrupted',
        provider,
        retryable: true,
      }),
    async status(response) {
      const { status, headers } = response;
      const body = await headOf(response);
      const said = wordsIn(parseJson(body));
      const words = said ?? { message: shortened(redact(body)) || response.statusText || 'no reason was given' };
      const requestId = headers.get('x-request-id') ?? headers.get('request-id') ?? undefined;
      const retryAfter = retryAfterOf(headers, now());
      return providerError(provider, redactedWords(words, redact), {
        // A wrong base URL is the most frequent mistake, and the server's words seldom help.
        ...(status === 404 && { url: placeOf(url) }),
        status,
        ...(requestId && { requestId }),
        ...(retryAfter !== undefined && { retryAfter }),
      });
    },
  };
}

/** Followed by whoever knows that the key may go there, too. */
function redirected(provider: string, url: string): Error {
  const message = `${provider}: ${placeOf(url)} sends to another address, where the key does not go: make that the baseUrl, with https where it was http.`;
  return new ChatModelError(message, { kind: 'notFound', provider, retryable: false });
}

/** The beginning of a body, whatever becomes of the rest: an error page may be of any length, and have no end. */
async function headOf({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let head = '';
  try {
    for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
      head += decoder.decode(chunk.value, { stream: true });
      if (head.length > readLength || isWholeObject(head)) break;
    }
    // Not waited for, nor is its failure of interest.
    reader?.cancel().catch(() => undefined);
  } catch {
    // The connection broke: what was read has to do.
  }
  return head;
}

function isWholeObject(text: string): boolean {
  return text.trimEnd().endsWith('}') && parseJson(text) !== undefined;
}

/** Without the query, which may hold a key. */
function placeOf(url: string): string {
  return url.replace(/[?#].*/s, '');
}

/** `fetch failed` says nothing: the reason is one level down. */
function reasonOf(cause: unknown): string {
  const inner = (cause as { cause?: unknown } | null | undefined)?.cause;
  return inner === undefined ? messageOf(cause) : `${messageOf(cause)} (${messageOf(inner)})`;
}

export function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > shownLength ? `${line.slice(0, shownLength)}…` : line;
}

/** ms: the header holds seconds or a date. */
function retryAfterOf(headers: Headers, now: number): number | undefined {
  const ms = Number(headers.get('retry-after-ms') || Number.NaN);
  if (ms >= 0) return ms;
  const text = headers.get('retry-after')?.trim();
  if (!text) return undefined;
  const seconds = Number(text);
  if (seconds >= 0) return seconds * 1000;
  // A date begins with a day or a year. Elsewhere `Date.parse` finds one in nearly anything, as in -1: it would be over, and there was no wait.
  const date = /^([a-z]|\d{4}-)/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
