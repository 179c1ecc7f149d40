import { Observable, type MonoTypeOperatorFunction, type SchedulerLike, type Subscription } from 'rxjs';
import { longestTimer } from '../chat/longest-timer.ts';

export interface StallLimits {
  /** ms until the first value. */
  readonly firstByte: number;
  /** ms between two values. */
  readonly idle: number;
}

/**
 * Errors when the source keeps silent for too long.
 *
 *     source  -a-a------
 *     result  -a-a---#      idle: 4
 */
export function stallLimits<T>(
  limits: StallLimits,
  scheduler: SchedulerLike,
  stalled: (limit: keyof StallLimits) => Error,
): MonoTypeOperatorFunction<T> {
  return (source) =>
    new Observable((subscriber) => {
      let limit: keyof StallLimits = 'firstByte';
      let lastSign = scheduler.now();
      let alarm: Subscription | undefined;
      // One timer that looks at the clock when it rings: setting it anew for each chunk costs more than reading the chunk.
      const watch = () => {
        alarm?.unsubscribe();
        const left = lastSign + limits[limit] - scheduler.now();
        if (left <= 0) subscriber.error(stalled(limit));
        else if (left !== Infinity) alarm = scheduler.schedule(watch, Math.min(left, longestTimer));
      };
      subscriber.add(() => alarm?.unsubscribe());
      watch();
      return source.subscribe({
        next: (value) => {
          lastSign = scheduler.now();
          if (limit === 'firstByte') {
            limit = 'idle';
            // The alarm that is set may ring too early for it, which does no harm: it looks at the clock.
            if (limits.idle < limits.firstByte) watch();
          }
          subscriber.next(value);
        },
        error: (error: unknown) => subscriber.error(error),
        complete: () => subscriber.complete(),
      });
    });
}
