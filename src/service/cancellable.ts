import { Observable, type Subscription } from 'rxjs';
import { subscribeEarly } from '../chat/subscribe-early.ts';

/**
 * Gives the source up when a signal is aborted, at once if one is already, and errors with what `cancelled` makes of the
 * reason; `undefined` lets the source go on. Leaves no listener on the signals.
 *
 *     source  -a-b-
 *     signal  ----x
 *     result  -a-b#
 */
export function cancellable<T>(
  source: Observable<T>,
  signals: readonly AbortSignal[],
  cancelled: (reason: unknown) => (() => Error) | undefined,
): Observable<T> {
  return new Observable<T>((subscriber) => {
    let running: Subscription | undefined;
    const cancel = (reason: unknown) => {
      const error = cancelled(reason);
      if (!error) return;
      // Given up before the error is made, so that it holds what the last round leaves behind.
      running?.unsubscribe();
      subscriber.error(error());
    };
    const aborted = signals.find((signal) => signal.aborted);
    if (aborted) return cancel(aborted.reason);
    for (const signal of signals) {
      const listener = () => cancel(signal.reason);
      signal.addEventListener('abort', listener);
      subscriber.add(() => signal.removeEventListener('abort', listener));
    }
    const observer = {
      next: (value: T) => subscriber.next(value),
      error: (error: unknown) => subscriber.error(error),
      complete: () => subscriber.complete(),
    };
    subscribeEarly(source, observer, (subscription) => {
      running = subscription;
      subscriber.add(subscription);
    });
  });
}
