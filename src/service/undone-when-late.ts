import { Observable } from 'rxjs';
import type { ToolExecutionResult } from '../tool/types.ts';
import { takeSuccess, type Call } from './call.ts';
import { undoesOnFailure } from './compensation.ts';
import type { Run } from './run.ts';
import { settleTime } from './settle-time.ts';
import { tellUnsettled } from './tell-unsettled.ts';
import { undoCall } from './undo-call.ts';

/** Whether it must be known how the tool ends, because what it does may have to be undone. */
export const mustSettle = (run: Run, { tool, hasStarted }: Call): boolean =>
  tool?.compensate !== undefined && hasStarted && !tool.undoesItself && undoesOnFailure(run);

/**
 * Lets an execution go on whose call was stopped, by its time limit or by hand, where what it does may have to be undone. The
 * model has been told that it was stopped; where it succeeds all the same, it is undone. For that it has once more the time
 * that it is given to settle.
 *
 *     execution  -------r|
 *     stopped    ---!
 *     result     ---
 *     undo              u|
 */
export function undoneWhenLate(
  run: Run,
  call: Call,
  execution$: Observable<ToolExecutionResult>,
): Observable<ToolExecutionResult> {
  if (!mustSettle(run, call)) return execution$;
  return new Observable((subscriber) => {
    let hasEnded = false;
    const undo = () => {
      // Taken, so that it is undone once: the round may have done so already.
      const execution = takeSuccess(call);
      // On a copy: the model has been told already how the call ended.
      const done = execution && { call: { ...call }, execution };
      if (done) run.unstoppable.run(undoCall(run, done, 'toolError', call.request.name)).subscribe();
    };
    const end = (notify: () => void) => {
      hasEnded = true;
      if (subscriber.closed) undo();
      else notify();
    };
    const running = execution$.subscribe({
      next: (result) => subscriber.next(result),
      error: (error: unknown) => end(() => subscriber.error(error)),
      complete: () => end(() => subscriber.complete()),
    });
    const giveUp = () => {
      running.unsubscribe();
      if (call.succeeded) undo();
      else tellUnsettled(run, call);
    };
    return () => {
      if (hasEnded || !call.isStopped || run.gathered.isLeft) return running.unsubscribe();
      running.add(run.settings.scheduler.schedule(giveUp, settleTime(run)));
    };
  });
}
