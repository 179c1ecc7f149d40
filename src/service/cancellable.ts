import { EMPTY, Observable } from 'rxjs';
import { subscribeEarly } from '../chat/subscribe-early.ts';

/** Emits the signal's reason when it is aborted, at once if it is already. Leaves no listener behind. */
export function abortOf(signal: AbortSignal | undefined): Observable<unknown> {
  if (!signal) return EMPTY;
  return new Observable((subscriber) => {
    if (signal.aborted) return subscriber.next(signal.reason);
    const listener = () => subscriber.next(signal.reason);
    signal.addEventListener('abort', listener, { once: true });
    return () => signal.removeEventListener('abort', listener);
  });
}

/**
 * Gives the source up when a cancellation comes, and errors with what `ended` makes of it; `undefined` lets it pass.
 * The source is unsubscribed from before `ended` is asked for its error.
 *
 *     source        -a-b-
 *     cancellation  ----x
 *     result        -a-b#
 */
export function cancellable<T>(source: Observable<T>, cancellation: Observable<unknown>, ended: (reason: unknown) => (() => Error) | undefined): Observable<T> {
  return new Observable<T>((subscriber) => {
    const cancel = (reason: unknown) => {
      const error = ended(reason);
      if (!error) return;
      running?.unsubscribe();
      subscriber.error(error());
    };
    let running: { unsubscribe(): void } | undefined;
    subscribeEarly(cancellation, { next: cancel }, (subscription) => subscriber.add(subscription));
    if (subscriber.closed) return;
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
