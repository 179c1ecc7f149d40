import { EMPTY, Observable, catchError, defer, type Subscription } from 'rxjs';
import { subscribeEarly } from '../chat/subscribe-early.ts';
import { fromTask } from '../chat/value.ts';
import { asError } from '../tool/tool-errors.ts';
import type { ToolContext, ToolExecution } from '../tool/types.ts';
import { callOutcome } from './call-outcome.ts';
import type { Call, CallOutcome } from './call.ts';
import type { Run } from './run.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';
import { toolExecution } from './tool-execution.ts';
import { toolScope } from './tool-scope.ts';
import { userCode } from './user-code.ts';

/**
 * Runs one call and writes into it what became of it. Never errors: whether the invocation fails is the round's affair.
 *
 *     tool    ---p--r|
 *     events  b--p--(a|)     beforeToolExecution, toolProgress, afterToolExecution
 */
export function executeCall(run: Run, round: number, call: Call): Observable<AiServiceStreamingEvent> {
  return new Observable((subscriber) => {
    const { request } = call;
    const { invocation, settings, inContext } = run;
    const origin = { invocation, round };
    const startTime = settings.scheduler.now();
    const scope = toolScope(run, request, (value) =>
      inContext(() => subscriber.next({ type: 'toolProgress', request, value, ...origin })),
    );
    let running: Subscription | undefined;
    let outcome: CallOutcome | undefined;
    let hasEnded = false;
    subscriber.add(() => {
      if (!hasEnded) scope.abort();
    });
    const end = () => {
      if (!outcome) return;
      call.stop = undefined;
      const execution = toolExecution(call, outcome, scope.context, startTime, settings.scheduler.now());
      call.execution = execution;
      call.failure = outcome.failure;
      const tell = () => {
        hasEnded = true;
        subscriber.next({ type: 'afterToolExecution', execution, ...origin });
        subscriber.complete();
      };
      // What has not begun has no end: the two hooks come in pairs.
      if (!settings.afterToolExecution || !call.hasStarted) return tell();
      const stopHook = () => {
        call.stop = undefined;
        running?.unsubscribe();
        tell();
      };
      call.stop = stopHook;
      watch(afterHook(run, call, execution, scope.context), tell);
    };
    const watch = (source: Observable<CallOutcome>, then: () => void) => {
      let isComplete = false;
      const observer = { next: (ended: CallOutcome) => (outcome = ended), complete: () => (isComplete = true) };
      let current: Subscription | undefined;
      subscribeEarly(userCode(run, source), observer, (subscription) => {
        running = current = subscription;
        subscriber.add(subscription);
      });
      // Behind the teardown of what ran, for it was added first: the next call must not start before this one has let go. Where that
      // teardown cancels the call, something else runs by now.
      current?.add(() => isComplete && running === current && then());
    };
    const stop = (outcome$: Observable<CallOutcome>) => {
      call.stop = undefined;
      call.isStopped = true;
      scope.abort();
      running?.unsubscribe();
      watch(outcome$, end);
    };
    // Under a name: V8 takes a function that is written straight into a property for a method and makes it old at once. All that it
    // reaches, some 2 kB a call, then stays until a full collection.
    call.stop = stop;
    if (!call.instead) subscriber.next({ type: 'beforeToolExecution', request, ...origin });
    // Whoever was told may have left, or have cancelled the call.
    if (subscriber.closed || !call.stop) return;
    watch(callOutcome(run, call, scope), end);
  });
}

function afterHook({ settings }: Run, call: Call, execution: ToolExecution, context: ToolContext): Observable<never> {
  return fromTask(() => settings.afterToolExecution!(execution, context)).pipe(
    catchError((thrown: unknown) =>
      defer(() => {
        call.failure ??= { error: asError(thrown) };
        return EMPTY;
      }),
    ),
  );
}
