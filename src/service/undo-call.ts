import { catchError, concat, defer, map, merge, of, take, tap, timer, type Observable } from 'rxjs';
import type { ToolExecutionResultMessage } from '../chat/message.ts';
import { fromTask } from '../chat/value.ts';
import { ToolCompensatedEvent } from '../event/tool-compensated-event.ts';
import { quietly } from '../tool/quietly.ts';
import { ToolTimeoutError, asError } from '../tool/tool-errors.ts';
import type { CompensationReason, ToolExecution } from '../tool/types.ts';
import type { Call } from './call.ts';
import type { Run } from './run.ts';
import { settleTime } from './settle-time.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';
import { toolScope } from './tool-scope.ts';
import { userCode } from './user-code.ts';

const reasons: Readonly<Record<CompensationReason, string>> = {
  toolError: 'a tool failed',
  cancelled: 'the invocation was cancelled',
  modelError: 'the model failed',
  limit: 'a limit was reached',
  guardrail: 'the answer was refused',
  memory: 'the conversation could not be saved',
};

/** What a call has done, be it that those around its tool have failed the call. */
export interface Undoable {
  readonly call: Call;
  readonly execution: ToolExecution;
}

/**
 * Undoes what one call has done, and writes down what the model is told of it. Emits once and never errors: what fails is
 * logged and reported.
 *
 * @param culprit - The name of the tool on whose account it is undone.
 */
export function undoCall(
  run: Run,
  { call, execution: done }: Undoable,
  reason: CompensationReason,
  culprit: string | undefined,
): Observable<AiServiceStreamingEvent> {
  return defer(() => {
    const { request, tool } = call;
    const { invocation, gathered, settings } = run;
    const scope = toolScope(run, request, () => undefined);
    const execution = { ...done, compensated: reason };
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
        call.undone = resultOfUndo(call, culprit ? `${culprit} failed` : reasons[reason], failure !== undefined);
        if (failure)
          quietly(() =>
            settings.logger.error(`What ${request.name} has done in call ${request.id} could not be undone.`, failure),
          );
        else replace(gathered.toolExecutions, done, execution);
        const what = { execution, reason, ...(failure && { error: failure }) };
        run.fire(() => new ToolCompensatedEvent({ invocation, ...what }));
        return { type: 'toolCompensated', ...what, invocation, round: gathered.round };
      }),
    );
  });
}

function replace<T>(list: T[], old: T, item: T): void {
  const place = list.indexOf(old);
  if (place >= 0) list[place] = item;
}

function resultOfUndo({ request: { id, name } }: Call, why: string, hasFailed: boolean): ToolExecutionResultMessage {
  const text = hasFailed
    ? `${name} had succeeded. It was to be rolled back because ${why}, but that failed: what it did may still stand.`
    : `${name} had succeeded, but it was rolled back because ${why}.`;
  return { role: 'tool', id, toolName: name, contents: [{ type: 'text', text }], isError: true };
}
