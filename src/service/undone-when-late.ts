import { Observable } from 'rxjs';
import { toolResult } from '../tool/tool-result.ts';
import type { ToolExecutionResult } from '../tool/types.ts';
import type { Call } from './call.ts';
import { undoesOnFailure } from './compensation.ts';
import type { Run } from './run.ts';
import { settleTime } from './settle-time.ts';
import { toolExecution } from './tool-execution.ts';
import type { ToolScope } from './tool-scope.ts';
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
  { context }: ToolScope,
  execution$: Observable<ToolExecutionResult>,
): Observable<ToolExecutionResult> {
  if (!mustSettle(run, call)) return execution$;
  const { scheduler } = run.settings;
  return new Observable((subscriber) => {
    const startTime = scheduler.now();
    let result: ToolExecutionResult | undefined;
    let hasEnded = false;
    const undo = () => {
      if (!result || result.isError) return;
      // It is undone here, and not with the others.
      call.succeeded = undefined;
      const execution = toolExecution(call, { result: toolResult(result) }, context, startTime, scheduler.now());
      run.unstoppable.run(undoCall(run, { ...call, execution }, 'toolError', call.request.name)).subscribe();
    };
    const running = execution$.subscribe({
      next: (value) => {
        result = value;
        subscriber.next(value);
      },
      error: (error: unknown) => {
        hasEnded = true;
        subscriber.error(error);
      },
      complete: () => {
        hasEnded = true;
        if (subscriber.closed) undo();
        else subscriber.complete();
      },
    });
    return () => {
      if (hasEnded || !call.isStopped || run.gathered.isLeft) return running.unsubscribe();
      running.add(scheduler.schedule(() => running.unsubscribe(), settleTime(run)));
    };
  });
}
