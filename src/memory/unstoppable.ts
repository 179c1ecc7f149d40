import { EMPTY, Observable, Subject, catchError, concat, defer, ignoreElements, tap } from 'rxjs';

/** Work that goes on when nobody waits for it any more, one piece after the other: half a write would break the history. */
export interface Unstoppable {
  /** Begins when subscribed to, behind the work that is under way; an unsubscribe stops the listening alone. */
  run<T>(work: Observable<T>): Observable<T>;
  /** Completes when nothing is under way. */
  settled(): Observable<never>;
}

/** @param onUnheard - is told how work has failed for which nobody waits any more. */
export function unstoppable(onUnheard: (error: unknown) => void): Unstoppable {
  let last: Observable<never> = EMPTY;
  return {
    run: <T>(work: Observable<T>) =>
      new Observable<T>((subscriber) => {
        const previous = last;
        // A Subject that has ended tells how to whoever comes later.
        const outcome = new Subject<T>();
        last = outcome.pipe(
          ignoreElements(),
          catchError(() => EMPTY),
        );
        outcome.subscribe(subscriber);
        concat(previous, work)
          .pipe(tap({ error: (error: unknown) => subscriber.closed && onUnheard(error) }))
          .subscribe(outcome);
      }),
    settled: () => defer(() => last),
  };
}
