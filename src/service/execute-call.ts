import { Observable, concatMap, of } from 'rxjs';
import { textOf } from '../chat/content.ts';
import { argumentsOf } from '../tool/decoded-arguments.ts';
import type { ToolContext, ToolExecution } from '../tool/types.ts';
import { callOutcome, type CallOutcome } from './call-outcome.ts';
import type { Call } from './call.ts';
import type { Run } from './run.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';
import { subscribeEarly } from '../chat/subscribe-early.ts';
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
    subscriber.next({ type: 'beforeToolExecution', request, ...origin });
    if (subscriber.closed) return;
    call.hasStarted = true;
    const startTime = settings.scheduler.now();
    const scope = toolScope(run, request, (value) =>
      inContext(() => subscriber.next({ type: 'toolProgress', request, value, ...origin })),
    );
    subscriber.add(() => {
      if (!call.execution) scope.abort();
    });
    let outcome: CallOutcome | undefined;
    const end = () => {
      if (!outcome) return;
      call.execution = toolExecution(call, outcome, scope.context, startTime, settings.scheduler.now());
      call.failure = outcome.failure;
      subscriber.next({ type: 'afterToolExecution', execution: call.execution, ...origin });
      subscriber.complete();
    };
    // `concatMap` completes when what it runs has been torn down: the next call must not start before this one has let go.
    const torn$ = of(call).pipe(concatMap(() => userCode(run, callOutcome(run, call, scope))));
    const next = (ended: CallOutcome) => (outcome = ended);
    subscribeEarly(torn$, { next, complete: end }, (subscription) => subscriber.add(subscription));
  });
}

function toolExecution(
  call: Call,
  { result, error, rawError }: CallOutcome,
  context: ToolContext,
  startTime: number,
  finishTime: number,
): ToolExecution {
  const decoded = argumentsOf(context);
  const attributes =
    call.requestedName === undefined ? result.attributes : { ...result.attributes, requestedName: call.requestedName };
  return {
    request: call.request,
    ...(decoded && { arguments: decoded.value }),
    ...(decoded?.repaired && { repaired: true }),
    result: textOf(result.contents),
    resultContents: [...result.contents],
    ...(result.value !== undefined && { resultObject: result.value }),
    hasFailed: result.isError,
    ...(error && { error, rawError }),
    ...(attributes && { attributes }),
    startTime,
    finishTime,
    duration: finishTime - startTime,
  };
}
