import { Observable, identity, type MonoTypeOperatorFunction } from 'rxjs';
import { subscribeEarly } from '../chat/subscribe-early.ts';
import { limitError } from './limits.ts';
import type { Run } from './run.ts';
import { settleTime } from './settle-time.ts';

/**
 * Fails a stage that asks no model when the time of the invocation is up; rounds see to that themselves. Where the model may still
 * answer, it is asked when the stage has ended, which has time to settle.
 */
export function withinDuration<T>(run: Run): MonoTypeOperatorFunction<T> {
  const { clock, gathered, settings } = run;
  if (!clock) return identity;
  const respite = settings.limits?.then === 'answer' ? settleTime(run) : 0;
  return (source) =>
    new Observable<T>((subscriber) => {
      const fail = () => {
        gathered.failedBy = 'limit';
        subscriber.error(limitError(run, 'duration'));
      };
      const timeIsUp = () => (respite ? subscriber.add(settings.scheduler.schedule(fail, respite)) : fail());
      subscriber.add(clock.onExpiry(timeIsUp));
      const observer = {
        next: (value: T) => subscriber.next(value),
        error: (error: unknown) => subscriber.error(error),
        complete: () => subscriber.complete(),
      };
      subscribeEarly(source, observer, (subscription) => subscriber.add(subscription));
    });
}
