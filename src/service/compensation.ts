import type { Observable } from 'rxjs';
import {
  EMPTY,
  catchError,
  concat,
  defer,
  identity,
  map,
  merge,
  of,
  take,
  tap,
  throwError,
  timer,
  type MonoTypeOperatorFunction,
} from 'rxjs';
import type { ToolExecutionResultMessage } from '../chat/message.ts';
import { fromTask } from '../chat/value.ts';
import { ToolCompensatedEvent } from '../event/tool-compensated-event.ts';
import { quietly } from '../tool/quietly.ts';
import { ToolTimeoutError, asError } from '../tool/tool-errors.ts';
import type { InvocationContext } from '../tool/invocation-context.ts';
import type { CompensationReason } from '../tool/types.ts';
import type { Call } from './call.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Run } from './run.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';
import { toolScope } from './tool-scope.ts';
import { userCode } from './user-code.ts';

/** Whether what its tools do is undone when it fails: its own service says so, or that of which it is a tool. */
export const undoesTools = ({ settings, controls }: Run): boolean => settings.compensateOnToolErrors ?? controls.undoes ?? false;

/** Those that undo what their tools do: a service that is one of these tools finds its own here. */
export const undoingInvocations = new WeakSet<InvocationContext>();

/** How long something may take that nobody can stop half-way, in ms. */
export const settleTime = ({ settings }: Run): number => settings.toolTimeout ?? 60_000;

/**
 * Undoes what the tools of an invocation have done when it fails or is given up. The error goes out when all is undone;
 * after an unsubscribe nobody waits for that but the next invocation on the same memory.
 *
 *     source  -a-b-#
 *     undo         --|
 *     result  -a-b---(cc#)     c: toolCompensated
 */
export function undoneOnFailure(run: Run, life: Lifecycle): MonoTypeOperatorFunction<AiServiceStreamingEvent> {
  if (!undoesTools(run)) return identity;
  const undone = (reason: CompensationReason) => run.unstoppable.run(compensate(run, reason));
  const cancel = () => {
    // Once the answer is out, an unsubscribe is no cancel.
    if (life.isCompleted()) return;
    life.cancelled();
    undone('cancelled').subscribe();
  };
  return (source) =>
    source.pipe(
      catchError((error: unknown) =>
        concat(
          undone(run.gathered.failedBy ?? 'modelError'),
          throwError(() => error as Error),
        ),
      ),
      tap({ unsubscribe: cancel }),
    );
}

/**
 * Undoes everything that is not yet undone, the last execution first and one at a time, and tells the model and the memory.
 * What fails of it is logged and reported, and does not stop the others.
 */
export function compensate(run: Run, reason: CompensationReason, culprit?: string): Observable<AiServiceStreamingEvent> {
  return defer(() => {
    // Taken out first: whatever else ends this invocation finds nothing left to undo.
    const calls = run.gathered.undoable.splice(0).reverse();
    if (calls.length === 0) return EMPTY;
    const why = becauseOf(reason, culprit);
    const results = () => new Map<string, ToolExecutionResultMessage>(calls.map(({ request, undone }) => [request.id, undone!]));
    const rewritten$ = defer(() => run.conversation.replaceResults(results())).pipe(
      catchError((error: unknown) => {
        quietly(() => run.settings.logger.error('The chat memory could not be told of what was undone.', error));
        return EMPTY;
      }),
    );
    return concat(...calls.map((call) => undo(run, call, reason, why)), rewritten$);
  });
}

function undo(run: Run, call: Call, reason: CompensationReason, why: string): Observable<AiServiceStreamingEvent> {
  return defer(() => {
    const { request, tool } = call;
    const { invocation, gathered, settings } = run;
    const scope = toolScope(run, request, () => undefined);
    const execution = { ...call.execution!, compensated: reason };
    const undone$ = userCode(
      run,
      concat(
        fromTask(() => tool!.compensate!(execution, scope.context)),
        of(undefined),
      ),
    );
    const error = new ToolTimeoutError(`Undoing ${request.name} took longer than ${settleTime(run)} ms.`);
    const limit$ = timer(settleTime(run), settings.scheduler).pipe(
      tap(() => scope.abort(error)),
      map((): never => {
        throw error;
      }),
    );
    return merge(undone$, limit$).pipe(
      take(1),
      catchError((thrown: unknown) => of(asError(thrown))),
      map((failure): AiServiceStreamingEvent => {
        call.undone = resultOfUndo(call, why, failure !== undefined);
        if (failure) quietly(() => settings.logger.error(`What ${request.name} has done could not be undone.`, failure));
        else gathered.toolExecutions[gathered.toolExecutions.indexOf(call.execution!)] = execution;
        const what = { execution, reason, ...(failure && { error: failure }) };
        run.fire(() => new ToolCompensatedEvent({ invocation, ...what }));
        return { type: 'toolCompensated', ...what, invocation, round: gathered.round };
      }),
    );
  });
}

function resultOfUndo({ request: { id, name } }: Call, why: string, hasFailed: boolean): ToolExecutionResultMessage {
  const text = hasFailed
    ? `${name} had succeeded. It was to be rolled back because ${why}, but that failed: what it did may still stand.`
    : `${name} had succeeded, but it was rolled back because ${why}.`;
  return { role: 'tool', id, toolName: name, contents: [{ type: 'text', text }], isError: true };
}

function becauseOf(reason: CompensationReason, culprit: string | undefined): string {
  if (culprit !== undefined) return `${culprit} failed`;
  return reasons[reason];
}

const reasons: Readonly<Record<CompensationReason, string>> = {
  toolError: 'a tool failed',
  cancelled: 'the invocation was cancelled',
  modelError: 'the model failed',
  limit: 'a limit was reached',
  guardrail: 'the answer was refused',
  memory: 'the conversation could not be saved',
};
