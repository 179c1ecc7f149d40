import { Observable, type MonoTypeOperatorFunction, type SchedulerLike } from 'rxjs';
import { longestTimer } from '../chat/longest-timer.ts';

/**
 * Errors when the source has not ended in time.
 *
 *     source  -a-a-a-a
 *     result  -a-a-#      total: 5
 */
export function totalLimit<T>(
  total: number | undefined,
  scheduler: SchedulerLike,
  exceeded: () => Error,
): MonoTypeOperatorFunction<T> {
  if (total === undefined || total > longestTimer) return (source) => source;
  return (source) =>
    new Observable<T>((subscriber) => {
      subscriber.add(scheduler.schedule(() => subscriber.error(exceeded()), total));
      return source.subscribe(subscriber);
    });
}
