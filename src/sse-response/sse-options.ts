import { asyncScheduler, type SchedulerLike } from 'rxjs';
import { checkCount, checkDuration, checkKnownOptions } from '../chat/option-checks.ts';

export interface SseOptions {
  /** Beside those that server-sent events need, which they may replace. */
  readonly headers?: Readonly<Record<string, string>>;
  /** 200 by default. */
  readonly status?: number;
  /** Data of one last event, behind everything else, such as `[DONE]`. */
  readonly lastData?: string;
  /** After how many ms without an event a comment is sent, so that no proxy takes the connection for dead: 15,000 by default. */
  readonly heartbeat?: number;
  /** How many bytes may wait for a client that reads slowly, before it is given up: 16,777,216 by default. */
  readonly maxBuffered?: number;
  /** For the heartbeat. */
  readonly scheduler?: SchedulerLike;
}

export type SseSettings = SseOptions & Required<Pick<SseOptions, 'status' | 'heartbeat' | 'maxBuffered' | 'scheduler'>>;

const known: readonly (keyof SseOptions)[] = ['headers', 'status', 'lastData', 'heartbeat', 'maxBuffered', 'scheduler'];

/** Options with their defaults; throws a `ConfigurationError` on those that can't work. */
export function sseSettings(where: string, options: SseOptions): SseSettings {
  checkKnownOptions(where, options, known);
  checkDuration(where, 'heartbeat', options.heartbeat);
  checkCount(where, 'maxBuffered', options.maxBuffered, 1);
  checkCount(where, 'status', options.status, 200);
  const { status = 200, heartbeat = 15_000, maxBuffered = 16 * 1024 * 1024, scheduler = asyncScheduler } = options;
  return { ...options, status, heartbeat, maxBuffered, scheduler };
}
