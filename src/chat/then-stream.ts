import { Observable } from 'rxjs';

/**
 * Goes on with a stream once the one value is there that it depends on. Like `concatMap`, but the stream feeds the
 * subscriber itself: nothing stands in the way of its values. A value that is there already is taken at once.
 *
 *     one     --a
 *     stream    -1-2-3|
 *     result  ---1-2-3|
 */
export function thenStream<T, R>(one: T | Observable<T>, stream: (value: T) => Observable<R>): Observable<R> {
  if (!(one instanceof Observable)) return stream(one);
  return new Observable<R>((subscriber) =>
    one.subscribe({
      next: (value) => {
        let next: Observable<R>;
        try {
          next = stream(value);
        } catch (error) {
          return subscriber.error(error);
        }
        // Whoever has left while it was made wants nothing begun.
        if (subscriber.closed) return;
        // eslint-disable-next-line rxjs-x/no-nested-subscribe -- it is what this function is for
        next.subscribe(subscriber);
      },
      error: (error: unknown) => subscriber.error(error),
    }),
  );
}
