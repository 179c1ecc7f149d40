import { asyncScheduler, type SchedulerLike } from 'rxjs';
import { checkRequest } from '../chat/check-request.ts';
import { chatRequestOptions, type ChatRequest } from '../chat/chat-request.ts';
import { ConfigurationError } from '../chat/configuration-error.ts';
import {
  checkCount,
  checkDuration,
  checkFunction,
  checkKnownOptions,
  checkText,
  checkedIds,
  invalidOption,
} from '../chat/option-checks.ts';
import { randomId } from '../chat/random-id.ts';
import type { Value } from '../chat/value.ts';

/** What every provider takes. */
export interface ProviderOptions {
  readonly modelName: string;
  /** The key, or a function that gets it anew for each request. */
  readonly apiKey?: string | (() => Value<string>) | undefined;
  /** Where the API is, without the path of the call. In a page it may be a path of its server, as in `/v1`. */
  readonly baseUrl?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** How often a request is sent again that failed before it had emitted anything: 2 by default. */
  readonly maxRetries?: number | undefined;
  /** All in ms. `firstByte` and `idle` are 300,000 by default; `total`, over all retries, is not limited. */
  readonly timeout?:
    | {
        readonly firstByte?: number | undefined;
        readonly idle?: number | undefined;
        readonly total?: number | undefined;
      }
    | undefined;
  /** How long one event of the stream may be, in characters: 16,777,216 by default. */
  readonly maxEventSize?: number | undefined;
  /** Holds for every request that says nothing else. */
  readonly defaultRequest?: Partial<ChatRequest> | undefined;
  readonly scheduler?: SchedulerLike | undefined;
  readonly idGenerator?: (() => string) | undefined;
}

/** Options with their defaults. */
export type ProviderSettings = ProviderOptions &
  Required<Pick<ProviderOptions, 'baseUrl' | 'fetch' | 'maxRetries' | 'maxEventSize' | 'scheduler' | 'idGenerator'>> & {
    readonly timeout: { readonly firstByte: number; readonly idle: number; readonly total?: number | undefined };
  };

const known: readonly (keyof ProviderOptions)[] = [
  'modelName',
  'apiKey',
  'baseUrl',
  'headers',
  'fetch',
  'maxRetries',
  'timeout',
  'maxEventSize',
  'defaultRequest',
  'scheduler',
  'idGenerator',
];

/** Throws a `ConfigurationError` that names the option, its value and the remedy. `own`: the options of this provider alone. */
export function providerSettings(
  where: string,
  options: ProviderOptions,
  defaultBaseUrl: string,
  own: readonly string[] = [],
): ProviderSettings {
  // Each request brings its own messages.
  const defaults = chatRequestOptions.filter((option) => option !== 'messages');
  checkPlaces(where, options, [...known, ...own], defaults);
  checkKnownOptions(where, options, [...known, ...own]);
  const { timeout = {} } = options;
  const baseUrl = fromPage(options.baseUrl ?? defaultBaseUrl);
  checkText(where, 'modelName', options.modelName);
  checkUrl(where, baseUrl);
  checkSecrets(where, options);
  checkTimes(where, options, timeout);
  for (const option of ['defaultRequest', 'scheduler'] as const) checkObject(where, option, options[option], options[option]);
  checkKnownOptions(`${where}: defaultRequest`, options.defaultRequest ?? {}, defaults);
  checkRequest(`${where}: defaultRequest`, options.defaultRequest ?? {});
  for (const option of ['fetch', 'idGenerator'] as const) checkFunction(where, option, options[option]);
  return {
    ...options,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    // Looked up at each call, so that a fetch that is patched later (by a tracer, by a test) is used.
    fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
    maxRetries: options.maxRetries ?? 2,
    maxEventSize: options.maxEventSize ?? 16 * 1024 * 1024,
    scheduler: options.scheduler ?? asyncScheduler,
    idGenerator: options.idGenerator ? checkedIds(where, options.idGenerator) : randomId,
    timeout: { ...timeout, firstByte: timeout.firstByte ?? 300_000, idle: timeout.idle ?? 300_000 },
  };
}

/** Settings of a request are looked for one level above where they belong. */
function checkPlaces(where: string, options: unknown, places: readonly string[], defaults: readonly string[]): void {
  const setting = Object.keys(options ?? {}).find((option) => !places.includes(option) && defaults.includes(option));
  if (setting !== undefined)
    throw new ConfigurationError(
      `${where}: ${setting} is a setting of requests; set it in defaultRequest, as { ${setting}: … }.`,
    );
}

/** Of keys and headers the type is shown, not the value. */
function checkSecrets(where: string, { apiKey, headers }: ProviderOptions): void {
  if (!['undefined', 'string', 'function'].includes(typeof apiKey)) checkFunction(where, 'apiKey', typeof apiKey);
  checkObject(where, 'headers', headers, typeof headers);
}

function checkTimes(
  where: string,
  { maxRetries, maxEventSize }: ProviderOptions,
  timeout: NonNullable<ProviderOptions['timeout']>,
): void {
  checkCount(where, 'maxRetries', maxRetries, 0);
  checkCount(where, 'maxEventSize', maxEventSize, 1);
  checkKnownOptions(`${where}: timeout`, timeout, ['firstByte', 'idle', 'total']);
  for (const limit of ['firstByte', 'idle', 'total'] as const) checkDuration(where, `timeout.${limit}`, timeout[limit]);
}

function checkObject(where: string, option: string, value: unknown, shown: unknown): void {
  if (value !== undefined && (typeof value !== 'object' || value === null))
    throw invalidOption(where, option, shown, 'it must be an object');
}

function checkUrl(where: string, baseUrl: unknown): void {
  checkText(where, 'baseUrl', baseUrl);
  const url = parsedUrl(baseUrl as string);
  if (!url || !/^https?:$/.test(url.protocol) || /[#\s]/.test(baseUrl as string))
    throw invalidOption(
      where,
      'baseUrl',
      // A name and a password before it, and a key in its query, are not shown.
      (baseUrl as string).replace(/[?#].*/s, '').replace(/^.*@/s, ''),
      'it must be a URL that begins with http:// or https://, or in a page a path that begins with /, without blanks or a #',
    );
  // Not shown: it holds a password, and fetch would refuse it with a message that shows it.
  if (url.username || url.password) throw new ConfigurationError(`${where}: baseUrl holds credentials; send them in headers.`);
}

/** In a page a path is on the server that it came from. */
function fromPage(baseUrl: string): string {
  const page = typeof document === 'undefined' ? undefined : document.baseURI;
  return page !== undefined && /^\.{0,2}\//.test(baseUrl) ? new URL(baseUrl, page).href : baseUrl;
}

function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
