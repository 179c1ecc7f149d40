import {
  catchError,
  concat,
  defer,
  map,
  merge,
  of,
  reduce,
  take,
  tap,
  timer,
  type Observable,
  type TimestampProvider,
} from 'rxjs';
import { checkedStream } from '../chat/checked-stream.ts';
import { longestTimer } from '../chat/longest-timer.ts';
import { fromTask } from '../chat/value.ts';
import { ToolExecutionError, ToolTimeoutError } from '../tool/tool-errors.ts';
import { toolResult } from '../tool/tool-result.ts';
import type { ToolContext, ToolExecutionResult } from '../tool/types.ts';
import type { Call, CallOutcome } from './call.ts';
import { failedOutcome, handled, unknownTool } from './failed-calls.ts';
import type { Run } from './run.ts';
import { toolExecution } from './tool-execution.ts';
import type { ToolScope } from './tool-scope.ts';
import { undoneWhenLate } from './undone-when-late.ts';

/** Runs one call to its outcome: emits once and never errors. */
export function callOutcome(run: Run, call: Call, scope: ToolScope): Observable<CallOutcome> {
  if (call.instead) return call.instead;
  if (!call.tool) return unknownTool(run, call, scope.context);
  const { beforeToolExecution } = run.settings;
  if (!beforeToolExecution) return executed(run, call, scope);
  const hook$ = fromTask(() => beforeToolExecution(call.request, scope.context));
  const executed$ = defer(() => executed(run, call, scope));
  return concat(hook$, executed$).pipe(catchError((thrown: unknown) => of(failedOutcome(thrown))));
}

function executed(run: Run, call: Call, scope: ToolScope): Observable<CallOutcome> {
  call.hasStarted = true;
  const execution$ = undoneWhenLate(run, call, intercepted(run, call, scope.context));
  return withinTime(run, call, scope, lastResult(call, execution$)).pipe(
    catchError((thrown: unknown) => handled(run, call, thrown)),
  );
}

function intercepted({ settings }: Run, call: Call, context: ToolContext): Observable<ToolExecutionResult> {
  const { tool, request } = call;
  const run = () => defer(() => checkedStream(`tool ${request.name}`, 'execute', tool!.execute(request, context)));
  const execute = tool?.compensate ? () => noted(call, context, settings.scheduler, run()) : run;
  const interceptors = settings.interceptors?.tool ?? [];
  return interceptors.reduceRight<() => Observable<ToolExecutionResult>>(
    (next, interceptor, place) => () =>
      defer(() => checkedStream('aiService', `interceptors.tool[${place}]`, interceptor(request, context, next))),
    execute,
  )();
}

/** Closest to the tool, before anybody around it can make a failure of its success. */
function noted(
  call: Call,
  context: ToolContext,
  scheduler: TimestampProvider,
  result$: Observable<ToolExecutionResult>,
): Observable<ToolExecutionResult> {
  const startTime = scheduler.now();
  return result$.pipe(
    tap((made) => {
      const result = toolResult(made);
      call.succeeded = result.isError ? undefined : toolExecution(call, { result }, context, startTime, scheduler.now());
    }),
  );
}

const nothing = Symbol('no result');

/** What the execution emits last, when it completes. */
function lastResult({ request }: Call, execution$: Observable<ToolExecutionResult>): Observable<CallOutcome> {
  return execution$.pipe(
    reduce<ToolExecutionResult, ToolExecutionResult | typeof nothing>((_, made) => made, nothing),
    map((made): CallOutcome => {
      if (made === nothing) throw new ToolExecutionError(`Tool ${request.name} ended without a result.`);
      return { result: toolResult(made) };
    }),
  );
}

/** The outcome, or a `ToolTimeoutError` when that takes too long. */
function withinTime({ settings }: Run, call: Call, scope: ToolScope, outcome$: Observable<CallOutcome>): Observable<CallOutcome> {
  if (settings.toolTimeout === undefined || settings.toolTimeout > longestTimer) return outcome$;
  const error = new ToolTimeoutError(`Tool ${call.request.name} took longer than ${settings.toolTimeout} ms and was stopped.`);
  const limit$ = timer(settings.toolTimeout, settings.scheduler).pipe(
    // The tool learns why it is stopped before it is unsubscribed from.
    tap(() => {
      call.isStopped = true;
      scope.abort(error);
    }),
    map((): never => {
      throw error;
    }),
  );
  return merge(outcome$, limit$).pipe(take(1));
}
