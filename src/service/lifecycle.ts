import { catchError, finalize, type Observable } from 'rxjs';
import type { SystemMessage, ToolExecutionRequest } from '../chat/message.ts';
import { AiServiceCancelledEvent, AiServiceErrorEvent, AiServiceStartedEvent } from '../event/lifecycle-events.ts';
import type { EventHub } from '../event/event-hub.ts';
import type { InvocationContext } from '../tool/invocation-context.ts';
import { asError } from '../tool/tool-errors.ts';

/** Sees to it that an invocation has one first event and one last, and that the last is followed by the summary. */
export interface Lifecycle {
  started(systemMessage?: SystemMessage): void;
  /** The answer is there; from now on nothing can cancel the invocation. */
  completed(): void;
  /** Whether `completed` took effect: not if it was cancelled or failed before. */
  isCompleted(): boolean;
  /** Whether it took effect. */
  cancelled(reason?: unknown): boolean;
  /**
   * Fires how the source ended, unless it completed: that is told by the epilogue, before its last emission.
   *
   * @param requestBehind - The call that is to blame for an error.
   */
  observed<T>(source: Observable<T>, requestBehind: (error: unknown) => ToolExecutionRequest | undefined): Observable<T>;
}

/** @param isResumed - a failed invocation goes on: it has had its first event. */
export function lifecycle({ fire, record }: EventHub, invocation: InvocationContext, isResumed: boolean): Lifecycle {
  let hasStarted = isResumed;
  let ending: 'completed' | 'error' | 'cancelled' | undefined;
  record(invocation, ({ type }) => type === ending);

  const started = (systemMessage?: SystemMessage) => {
    if (hasStarted) return;
    hasStarted = true;
    const { originalUserMessage: userMessage } = invocation;
    fire(() => new AiServiceStartedEvent({ invocation, userMessage, ...(systemMessage && { systemMessage }) }));
  };
  const end = (how: NonNullable<typeof ending>): boolean => {
    if (ending) return false;
    ending = how;
    started();
    return true;
  };
  const cancelled = (reason?: unknown): boolean => {
    const takesEffect = end('cancelled');
    if (takesEffect) fire(() => new AiServiceCancelledEvent({ invocation, reason }));
    return takesEffect;
  };
  return {
    started,
    completed: () => void end('completed'),
    isCompleted: () => ending === 'completed',
    cancelled,
    observed: (source, requestBehind) =>
      source.pipe(
        catchError((thrown: unknown) => {
          const error = asError(thrown);
          const request = requestBehind(thrown);
          if (end('error')) fire(() => new AiServiceErrorEvent({ invocation, error, ...(request && { request }) }));
          throw error;
        }),
        finalize(() => cancelled()),
      ),
  };
}
