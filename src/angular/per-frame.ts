import { Observable, animationFrameScheduler, type MonoTypeOperatorFunction, type Subscription } from 'rxjs';

/**
 * Lets a state through once per frame, and at once where it differs in what must not wait or is the last: a hidden page has no frames.
 *
 *     source   -a-b-c-D-e|      D: urgent
 *     result   -a--c--D--(e|)   frames: ----|----|
 */
export function perFrame<S>(urgent: (state: S) => unknown): MonoTypeOperatorFunction<S> {
  return (source) =>
    new Observable((subscriber) => {
      let told: { readonly state: S } | undefined;
      let untold: { readonly state: S } | undefined;
      let frame: Subscription | undefined;
      const tell = () => {
        frame?.unsubscribe();
        frame = undefined;
        if (!untold) return;
        told = untold;
        untold = undefined;
        subscriber.next(told.state);
      };
      subscriber.add(() => frame?.unsubscribe());
      return source.subscribe({
        next(state) {
          untold = { state };
          if (!told || urgent(state) !== urgent(told.state)) tell();
          else frame ??= animationFrameScheduler.schedule(tell);
        },
        error(error: unknown) {
          tell();
          subscriber.error(error);
        },
        complete() {
          tell();
          subscriber.complete();
        },
      });
    });
}
