import type { Observable } from 'rxjs';

/** What a synchronous source did. */
export interface Collected<T> {
  readonly values: readonly T[];
  readonly error: unknown;
  readonly isComplete: boolean;
}

export function collected<T>(source: Observable<T>): Collected<T> {
  const values: T[] = [];
  let failure: unknown;
  let isComplete = false;
  source.subscribe({
    next: (value) => values.push(value),
    error: (error: unknown) => {
      failure = error;
    },
    complete: () => {
      isComplete = true;
    },
  });
  return { values, error: failure, isComplete };
}
