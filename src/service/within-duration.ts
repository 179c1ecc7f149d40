import { Observable, identity, type MonoTypeOperatorFunction } from 'rxjs';
import { subscribeEarly } from '../chat/subscribe-early.ts';
import { limitError } from './limits.ts';
import type { Run } from './run.ts';

/** Fails a stage that asks no model when the time of the invocation is up; rounds see to that themselves. */
export function withinDuration<T>(run: Run): MonoTypeOperatorFunction<T> {
  const { clock, gathered, settings } = run;
  // Where the model may still answer, it is asked when the stage has ended.
  if (!clock || settings.limits?.then === 'answer') return identity;
  return (source) =>
    new Observable<T>((subscriber) => {
      subscriber.add(
        clock.onExpiry(() => {
          gathered.failedBy = 'limit';
          subscriber.error(limitError(run, 'duration'));
        }),
      );
      const observer = {
        next: (value: T) => subscriber.next(value),
        error: (error: unknown) => subscriber.error(error),
        complete: () => subscriber.complete(),
      };
      subscribeEarly(source, observer, (subscription) => subscriber.add(subscription));
    });
}
