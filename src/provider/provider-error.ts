import { ChatModelError, type ChatModelErrorKind } from '../chat/chat-model-error.ts';
import { jsonText } from '../chat/json-safe.ts';

/** What a provider says about a failure, in whatever form it says it. */
export interface ProviderWords {
  readonly message: string;
  readonly type?: string;
  readonly code?: string;
  /** ms to wait, where the words themselves tell it. */
  readonly retryAfter?: number;
}

/** ms: a provider that asks for more is not waited for. */
const longestRetryAfter = 60_000;

interface Classified {
  readonly kind: ChatModelErrorKind;
  readonly retryable: boolean;
}

const byStatus: Readonly<Record<number, Classified>> = {
  400: { kind: 'invalidRequest', retryable: false },
  401: { kind: 'authentication', retryable: false },
  402: { kind: 'permission', retryable: false },
  403: { kind: 'permission', retryable: false },
  404: { kind: 'notFound', retryable: false },
  408: { kind: 'timeout', retryable: true },
  409: { kind: 'server', retryable: true },
  429: { kind: 'rateLimit', retryable: true },
  500: { kind: 'server', retryable: true },
  503: { kind: 'overloaded', retryable: true },
  529: { kind: 'overloaded', retryable: true },
};

/** Words in a provider's type or code that say more than the status does; the first row that fits counts. */
const byWord: readonly (readonly [RegExp, Classified])[] = [
  // A rate that is told as a quota, as by DashScope: `Throttling.RateQuota`.
  [/throttl/, { kind: 'rateLimit', retryable: true }],
  [/quota|billing|credit/, { kind: 'rateLimit', retryable: false }],
  [/rate.?limit|too.?many/, { kind: 'rateLimit', retryable: true }],
  [/overload|unavailable|capacity/, { kind: 'overloaded', retryable: true }],
  [/content.?filter|content.?policy|safety/, { kind: 'contentFilter', retryable: false }],
  [/authenti|api.?key/, { kind: 'authentication', retryable: false }],
  [/permission/, { kind: 'permission', retryable: false }],
  [/not.?found/, { kind: 'notFound', retryable: false }],
  [/timeout/, { kind: 'timeout', retryable: true }],
  [/invalid|context.?length|tool.?use.?failed/, { kind: 'invalidRequest', retryable: false }],
  [/server|internal/, { kind: 'server', retryable: true }],
];

function classified(status: number | undefined, { type, code }: ProviderWords): Classified {
  const word = `${type ?? ''} ${code ?? ''}`.toLowerCase();
  const worded = byWord.find(([pattern]) => pattern.test(word))?.[1];
  const stated = status === undefined ? undefined : (byStatus[status] ?? (status >= 500 ? byStatus[500] : byStatus[400]));
  // An empty account answers 429 like a busy server, but waiting won't fill it; and 400 says less than any word.
  const saysMore = worded && !worded.retryable && (stated?.retryable || stated?.kind === 'invalidRequest');
  if (stated && !saysMore) return stated;
  return worded ?? { kind: 'server', retryable: true };
}

/** A failure that the provider told, by a status or within the stream. */
export function providerError(
  provider: string,
  words: ProviderWords,
  details: { status?: number; requestId?: string; retryAfter?: number; url?: string } = {},
): ChatModelError {
  const { status, requestId, retryAfter = words.retryAfter, url } = details;
  const { kind, retryable } = classified(status ?? statusIn(words.code), words);
  const isTooLong = retryAfter !== undefined && retryAfter > longestRetryAfter;
  const facts = [
    status !== undefined && `status ${status}`,
    words.type && `type ${shown(words.type, 200)}`,
    words.code && words.code !== words.type && `code ${shown(words.code, 200)}`,
    retryAfter !== undefined && `retry after ${retryAfter / 1000} s${isTooLong ? ', which is too long to wait here' : ''}`,
    requestId && `request ${requestId}`,
    url && `asked for ${url}`,
  ].filter(Boolean);
  const message = `${provider}: ${shown(words.message, 10_000)}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`;
  return new ChatModelError(message, { kind, provider, status, requestId, retryAfter, retryable: retryable && !isTooLong });
}

/** An error goes on to logs, which no server is to fill. */
function shown(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** Gateways put the status of the server behind them into the code. */
function statusIn(code: string | undefined): number | undefined {
  const status = Number(code);
  return status >= 400 && status < 600 ? status : undefined;
}

/** Reads the provider's words from a body or an event, whatever it holds; `undefined` when it holds none. */
export function wordsIn(json: unknown): ProviderWords | undefined {
  const body = (Array.isArray(json) ? json[0] : json) as ErrorBody | null | undefined;
  const said = body?.error ?? wordsElsewhere(body) ?? body;
  if (typeof said === 'string' && said) return { message: said };
  if (typeof said !== 'object' || said === null) return undefined;
  const { message, detail } = said as Record<string, unknown>;
  const words = [message, detail].find((word) => typeof word === 'string' && word) as string | undefined;
  if (words === undefined && !body?.error) return undefined;
  return { message: words ?? jsonText(said), ...factsIn(said as Record<string, unknown>) };
}

/** The words without what must not be seen. They are read first: a secret may be a word of JSON, too. */
export function redactedWords({ message, type, code, ...rest }: ProviderWords, redact: (text: string) => string): ProviderWords {
  return { message: redact(message), ...(type && { type: redact(type) }), ...(code && { code: redact(code) }), ...rest };
}

interface ErrorBody {
  readonly error?: unknown;
  readonly errors?: unknown;
  readonly base_resp?: { readonly status_code?: unknown; readonly status_msg?: unknown } | null;
}

/** Where only some servers put them: the first of several errors, MiniMax's status, Ollama's key that is itself half of the words. */
function wordsElsewhere(body: ErrorBody | null | undefined): unknown {
  if (typeof body !== 'object' || body === null) return undefined;
  const { errors, base_resp: status } = body;
  if (Array.isArray(errors)) return errors[0];
  if (typeof status?.status_code === 'number' && status.status_code !== 0)
    return { message: status?.status_msg, code: status?.status_code };
  return Object.entries(body)
    .find(([key, value]) => key.startsWith('error ') && typeof value === 'string')
    ?.join(': ');
}

function factsIn({ type, code, status, details }: Readonly<Record<string, unknown>>): Omit<ProviderWords, 'message'> {
  const { reason, retryAfter } = detailsIn(details);
  const named = shortText(type) ?? ([shortText(status), reason].filter(Boolean).join(', ') || undefined);
  const coded = shortText(code);
  return {
    ...(named && { type: named }),
    ...(coded && { code: coded }),
    ...(retryAfter !== undefined && { retryAfter }),
  };
}

function shortText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Google's details: the reason, which may say more than the status (a wrong key is INVALID_ARGUMENT), and when to come back, as in `37.5s`. */
function detailsIn(details: unknown): { readonly reason?: string; readonly retryAfter?: number } {
  const all = (Array.isArray(details) ? details : []) as readonly ({ reason?: unknown; retryDelay?: unknown } | null)[];
  const reason = all.map((detail) => detail?.reason).find((told) => typeof told === 'string');
  const seconds = all.map((detail) => Number.parseFloat(shortText(detail?.retryDelay) ?? '')).find((told) => told >= 0);
  return { ...(reason !== undefined && { reason }), ...(seconds !== undefined && { retryAfter: seconds * 1000 }) };
}
