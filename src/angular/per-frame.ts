import { animationFrameScheduler, auditTime, connect, distinctUntilChanged, merge, type MonoTypeOperatorFunction } from 'rxjs';

/**
 * Lets a state through once per frame, and at once where it differs in what must not wait: a hidden page has no frames.
 *
 *     source   -a-b-c-D-e|      D: urgent
 *     result   ----c--D--(e|)   frames: ----|----|
 */
export function perFrame<S>(urgent: (state: S) => unknown): MonoTypeOperatorFunction<S> {
  return (source) =>
    source.pipe(
      connect((state$) =>
        merge(
          state$.pipe(distinctUntilChanged((one, other) => urgent(one) === urgent(other))),
          // What it lets through is never older than what was urgent.
          state$.pipe(auditTime(0, animationFrameScheduler)),
        ),
      ),
      distinctUntilChanged(),
    );
}
