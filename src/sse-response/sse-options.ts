import { asyncScheduler, type SchedulerLike } from 'rxjs';
import { isObject } from '../chat/is-object.ts';
import {
  checkCount,
  checkDuration,
  checkHeaders as checkSendable,
  checkKnownOptions,
  invalidOption,
} from '../chat/option-checks.ts';

export interface SseOptions {
  /** Beside those that server-sent events need, which they may replace. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** 200 by default. */
  readonly status?: number | undefined;
  /** Data of one last event, behind everything else, such as `[DONE]`. */
  readonly lastData?: string | undefined;
  /** After how many ms without an event a comment is sent, so that no proxy takes the connection for dead: 15,000 by default, `Infinity` for never. */
  readonly heartbeat?: number | undefined;
  /** How many bytes may wait for a client that reads slowly, before it is given up: 16,777,216 by default. */
  readonly maxBuffered?: number | undefined;
  /** For the heartbeat: `asyncScheduler` by default. */
  readonly scheduler?: SchedulerLike | undefined;
}

export type SseSettings = SseOptions & Required<Pick<SseOptions, 'status' | 'heartbeat' | 'maxBuffered' | 'scheduler'>>;

export const sseOptions: readonly (keyof SseOptions)[] = [
  'headers',
  'status',
  'lastData',
  'heartbeat',
  'maxBuffered',
  'scheduler',
];

/** Responses with these have no body. */
const bodiless: readonly number[] = [204, 205, 304];

/** Options with their defaults; throws a `ConfigurationError` on those that can't work. */
export function sseSettings(where: string, options: SseOptions): SseSettings {
  checkKnownOptions(where, options, sseOptions);
  checkDuration(where, 'heartbeat', options.heartbeat);
  checkCount(where, 'maxBuffered', options.maxBuffered, 1);
  const { status = 200, heartbeat = 15_000, maxBuffered = 16 * 1024 * 1024, scheduler = asyncScheduler } = options;
  if (!Number.isInteger(status) || status < 200 || status > 599 || bodiless.includes(status))
    throw invalidOption(where, 'status', status, 'it must be from 200 to 599, and one of a response with a body');
  if (options.lastData !== undefined && typeof options.lastData !== 'string')
    throw invalidOption(where, 'lastData', options.lastData, 'it must be a text');
  checkHeaders(where, options.headers);
  return { ...options, status, heartbeat, maxBuffered, scheduler };
}

function checkHeaders(where: string, headers: unknown): void {
  if (headers === undefined) return;
  const isPlain =
    isObject(headers) && !(headers instanceof Headers) && Object.values(headers).every((value) => typeof value === 'string');
  // The value is not shown: headers carry secrets.
  if (!isPlain)
    throw invalidOption(where, 'headers', Object(headers), "it must be an object of texts, such as { 'x-name': 'value' }");
  checkSendable(where, 'headers', headers as Readonly<Record<string, string>>);
}
