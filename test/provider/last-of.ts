import type { Observable } from 'rxjs';

/** The last value of a source, once it is complete. */
export function lastOf<T>(source: Observable<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let last: T;
    source.subscribe({
      next: (value) => {
        last = value;
      },
      error: reject,
      complete: () => resolve(last),
    });
  });
}
