import type { Observable, Subscription } from 'rxjs';

/** What an Observable has done so far, for sources that need no virtual time. */
export interface Watched<T> {
  readonly values: readonly T[];
  readonly end: 'complete' | 'error' | undefined;
  readonly error: unknown;
  readonly subscription: Subscription;
}

export function watch<T>(source: Observable<T>): Watched<T> {
  const values: T[] = [];
  let end: Watched<T>['end'];
  let failure: unknown;
  const subscription = source.subscribe({
    next: (value) => values.push(value),
    error: (error: unknown) => {
      failure = error;
      end = 'error';
    },
    complete: () => {
      end = 'complete';
    },
  });
  return {
    values,
    subscription,
    get end() {
      return end;
    },
    get error() {
      return failure;
    },
  };
}
