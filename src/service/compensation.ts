import {
  EMPTY,
  catchError,
  concat,
  defer,
  identity,
  tap,
  throwError,
  type MonoTypeOperatorFunction,
  type Observable,
} from 'rxjs';
import type { ToolExecutionResultMessage } from '../chat/message.ts';
import { memoryName } from '../memory/memory-name.ts';
import { quietly } from '../tool/quietly.ts';
import type { CompensationReason } from '../tool/types.ts';
import { dropAnswer } from './drop-answer.ts';
import { inSequence } from './in-sequence.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Run } from './run.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';
import { undoCall, type Undoable } from './undo-call.ts';

/** Whether a tool that fails has the others undone: its own service says so, or that of which it is a tool. */
export const undoesOnToolErrors = ({ settings, controls }: Run): boolean =>
  settings.compensateOnToolErrors ?? controls.undoes ?? false;

/** Whether all is undone when it fails or is given up. Those of whom it is a tool may want that though it never does by itself. */
export const undoesOnFailure = ({ settings, controls }: Run): boolean =>
  (settings.compensateOnToolErrors ?? false) || (controls.undoes ?? false);

/**
 * Undoes what the tools of an invocation have done when it fails or is given up. The error goes out when all is undone;
 * after an unsubscribe nobody waits for that but the next invocation on the same memory.
 *
 *     source  -a-b-#
 *     undo         --|
 *     result  -a-b---(cc#)     c: toolCompensated
 */
export function undoneOnFailure(run: Run, life: Lifecycle): MonoTypeOperatorFunction<AiServiceStreamingEvent> {
  if (!undoesOnFailure(run)) return identity;
  const undone = (reason: CompensationReason) => run.unstoppable.run(compensate(run, reason));
  const cancel = () => {
    // Once the answer is out, an unsubscribe is no cancel.
    if (life.isCompleted()) return;
    life.cancelled();
    undone('cancelled').subscribe();
  };
  return (source) =>
    source.pipe(
      catchError((error: unknown) => {
        const { failedBy = 'modelError', undoable } = run.gathered;
        // An answer that was given before its tools were undone is true no more.
        if (undoable.length > 0) {
          dropAnswer(run);
          run.conversation.takeBackAnswer();
        }
        run.gathered.failedBy = undefined;
        return concat(
          undone(failedBy),
          throwError(() => error as Error),
        );
      }),
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
    const undoable = run.gathered.undoable.splice(0).reverse();
    if (undoable.length === 0) return EMPTY;
    // Not `concat`: a thousand synchronous undos behind one that took time would overflow its stack.
    return inSequence(() => undoing(run, undoable, reason, culprit));
  });
}

function* undoing(
  run: Run,
  undoable: readonly Undoable[],
  reason: CompensationReason,
  culprit: string | undefined,
): Generator<Observable<AiServiceStreamingEvent>, void> {
  for (const done of undoable) yield undoCall(run, done, reason, culprit);
  yield rewritten(run, undoable);
}

function rewritten({ conversation, memory, settings }: Run, undoable: readonly Undoable[]): Observable<never> {
  const results = new Map<string, ToolExecutionResultMessage>(
    undoable.map(({ call: { request, undone } }) => [request.id, undone!]),
  );
  return conversation.replaceResults(results).pipe(
    catchError((error: unknown) => {
      quietly(() => settings.logger.error(`${memoryName(memory!)} could not be told of what was undone.`, error));
      return EMPTY;
    }),
  );
}
