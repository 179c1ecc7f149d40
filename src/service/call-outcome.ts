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
import { invalidOption } from '../chat/option-checks.ts';
import { fromTask, fromValue } from '../chat/value.ts';
import {
  isArgumentsError,
  ToolExecutionError,
  ToolTimeoutError,
  UnknownToolError,
  asError,
  messageOf,
  nameTool,
  unwrapped,
} from '../tool/tool-errors.ts';
import { textResult, toolResult } from '../tool/tool-result.ts';
import type { ToolContext, ToolExecutionResult } from '../tool/types.ts';
import type { Call, CallOutcome } from './call.ts';
import type { Run } from './run.ts';
import { toolExecution } from './tool-execution.ts';
import type { ToolScope } from './tool-scope.ts';
import { undoneWhenLate } from './undone-when-late.ts';

/** Runs one call to its outcome: emits once and never errors. The one place where errors become text. */
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

/** Asks the handler that is there for what was thrown. */
export function handled(run: Run, { request }: Pick<Call, 'request'>, thrown: unknown): Observable<CallOutcome> {
  const { error, rawError } = unwrapped(thrown);
  for (const own of [error, thrown]) nameTool(own, request.name);
  const { invocation, policy, settings } = run;
  const option = isArgumentsError(thrown) ? 'toolArgumentsErrorHandler' : 'toolExecutionErrorHandler';
  const { memoryId, parameters } = invocation;
  const context = {
    rawError,
    request,
    invocation,
    ...(memoryId !== undefined && { memoryId }),
    parameters,
    logger: settings.logger,
  };
  return toldToLlm(
    option,
    error,
    rawError,
    fromValue(() => policy[option](error, context)),
  );
}

function unknownTool({ settings, tools }: Run, { request }: Call, context: ToolContext): Observable<CallOutcome> {
  const strategy = settings.hallucinatedToolNameStrategy;
  // Of any length, and in the log as many times as it is tried.
  const name = request.name.length > 200 ? `${request.name.slice(0, 200)}…` : request.name;
  const error = new UnknownToolError(
    `The model called an unknown tool: ${name}. Set hallucinatedToolNameStrategy to tell it so and go on.`,
  );
  const text$ = fromValue(() => {
    if (!strategy) throw error;
    return strategy(request, Object.assign(context, { availableTools: tools.told }));
  });
  return toldToLlm('hallucinatedToolNameStrategy', error, error, text$);
}

/** The handler's text goes to the model; what it throws ends the invocation. */
function toldToLlm(option: string, error: Error, rawError: unknown, text$: Observable<string>): Observable<CallOutcome> {
  return text$.pipe(
    map((text): CallOutcome => ({ result: textResult(checkedText(option, text), true), error, rawError })),
    catchError((thrown: unknown) =>
      of({ ...failedOutcome(thrown), result: textResult(messageOf(error), true), error, rawError }),
    ),
  );
}

/** Of code of the user that stands around the tool: its error ends the invocation, and no handler is asked. */
export function failedOutcome(thrown: unknown): CallOutcome {
  const error = asError(thrown);
  return { result: textResult(messageOf(error), true), error, rawError: thrown, failure: { error } };
}

function checkedText(option: string, text: unknown): string {
  if (typeof text === 'string') return text;
  throw invalidOption('aiService', `what ${option} returned`, text, 'it must return the text for the model, or throw');
}
