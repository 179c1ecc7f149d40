import {
  NEVER,
  defer,
  finalize,
  merge,
  mergeMap,
  startWith,
  switchMap,
  take,
  throwError,
  timer,
  type MonoTypeOperatorFunction,
  type Observable,
  type SchedulerLike,
} from 'rxjs';
import { longestTimer } from '../chat/longest-timer.ts';
import { ToolTimeoutError } from '../tool/tool-errors.ts';

export interface TimeLimits {
  /** How long there may be no progress, in ms. */
  readonly idle: number;
  /** How long all may take, in ms. What is longer than a timer of the platform can be is no limit. */
  readonly total: number;
  /** Emits `true` when a person is asked, and `false` when not: the clocks stand still meanwhile. Emits at subscription. */
  readonly isPaused$: Observable<boolean>;
  readonly progress$: Observable<unknown>;
  readonly scheduler: SchedulerLike;
}

/**
 * Ends a call with a `ToolTimeoutError`, of which the model is told, when it makes no progress for too long, or takes too long in all.
 *
 *     progress  --p-----p
 *     result    --------------#     idle: 6 frames
 */
export function withTimeLimits<T>(toolName: string, limits: TimeLimits): MonoTypeOperatorFunction<T> {
  const { idle, total, progress$, scheduler, isPaused$ } = limits;
  const failed = (reason: string) => throwError(() => new ToolTimeoutError(`The tool ${toolName} ${reason}.`));
  const isIdle$ = progress$.pipe(
    startWith(undefined),
    switchMap(() => runDown(idle, isPaused$, scheduler)),
    take(1),
    mergeMap(() => failed(`told nothing for ${idle} ms and was stopped`)),
  );
  const isLate$ = runDown(total, isPaused$, scheduler).pipe(
    mergeMap(() => failed(`took longer than ${total} ms and was stopped`)),
  );
  // The clocks first: a source that fails at once must not leave them running.
  return (source) => merge(isIdle$, isLate$, source).pipe(take(1));
}

/** Emits when a time has passed, in which the pauses do not count. */
function runDown(duration: number, isPaused$: Observable<boolean>, scheduler: SchedulerLike): Observable<unknown> {
  return defer(() => {
    let left = duration;
    return isPaused$.pipe(
      switchMap((isPaused) => {
        if (isPaused || left > longestTimer) return NEVER;
        const begin = scheduler.now();
        return timer(left, scheduler).pipe(finalize(() => (left -= scheduler.now() - begin)));
      }),
      take(1),
    );
  });
}
