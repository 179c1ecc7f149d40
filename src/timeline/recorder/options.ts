import type { SchedulerLike } from 'rxjs';
import { checkCount, checkDuration, checkKnownOptions, checkMethods } from '../../chat/option-checks.ts';

export interface RecordTimelineOptions {
  /** The clock; the real one by default. */
  readonly scheduler?: SchedulerLike | undefined;
  /** How many characters are kept of each text, arguments, result and error: 200 by default. */
  readonly maxText?: number | undefined;
  /** The invocation to record. By default the one of the stream that is watched, or else the first that starts. */
  readonly invocationId?: string | undefined;
  /** ms: how often `timeline$` emits at most; 100 by default. */
  readonly every?: number | undefined;
}

export function checkedOptions(
  where: string,
  options: RecordTimelineOptions,
  known: readonly (keyof RecordTimelineOptions)[],
): RecordTimelineOptions & { readonly maxText: number } {
  checkKnownOptions(where, options, known);
  checkCount(where, 'maxText', options.maxText, 0);
  checkDuration(where, 'every', options.every);
  checkMethods(where, 'scheduler', options.scheduler, ['now', 'schedule']);
  return { ...options, maxText: options.maxText ?? 200 };
}
