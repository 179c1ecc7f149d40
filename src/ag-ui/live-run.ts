import { Observable, type Subscriber } from 'rxjs';
import type { ApprovalDecision } from '../service/options.ts';
import type { Invocation } from '../service/start-invocation.ts';
import type { AgUiEvent, AgUiInterrupt } from './ag-ui-event.ts';
import type { AgUiMessage } from './ag-ui-message.ts';
import { callIdOf } from './approval-interrupt.ts';
import { runWriter, type RunIds, type RunWriterOptions } from './run-writer.ts';

/** One invocation that clients watch, run after run. */
export interface LiveRun {
  /** The next run. To leave it is to cancel the invocation. `work` is done when the run has begun. */
  run(ids: RunIds, before: readonly AgUiMessage[], work: () => void): Observable<AgUiEvent>;
  begin(start: () => Invocation<unknown>): void;
  /** What the last run has ended with. */
  interrupts(): readonly AgUiInterrupt[];
  /** Answers the interrupts, by their ids. */
  decide(decisions: ReadonlyMap<string, ApprovalDecision>): void;
  cancel(reason: string): void;
}

export interface LiveRunOptions extends Omit<RunWriterOptions, 'emit' | 'onBroken'> {
  /** Told before the client is. */
  readonly onInterrupted: (live: LiveRun) => void;
  /** The invocation has ended, while it waited for a person or otherwise. */
  readonly onEnded: (live: LiveRun) => void;
}

export function liveRun({ onInterrupted, onEnded, ...options }: LiveRunOptions): LiveRun {
  let subscriber: Subscriber<AgUiEvent> | undefined;
  let invocation: Invocation<unknown> | undefined;
  let interrupts: readonly AgUiInterrupt[] = [];
  /** A client was lost before its run had ended: that ends all. */
  let hasLeft = false;
  let hasEnded = false;

  const emit = (event: AgUiEvent) => {
    if (event.type !== 'RUN_FINISHED' && event.type !== 'RUN_ERROR') return subscriber?.next(event);
    // Whoever is told may begin the next run at once: this one must be out of the way.
    const told = subscriber;
    subscriber = undefined;
    if (told && event.type === 'RUN_FINISHED' && event.outcome.type === 'interrupt') {
      ({ interrupts } = event.outcome);
      if (!hasEnded) onInterrupted(live);
    }
    told?.next(event);
    told?.complete();
  };
  const cancel = (reason: string) => invocation?.cancel(reason);
  const writer = runWriter({ ...options, emit, onBroken: () => cancel('The run could not be told.') });
  const end = () => {
    hasEnded = true;
    onEnded(live);
  };
  const live: LiveRun = {
    run: (ids, before, work) =>
      new Observable((watching) => {
        subscriber = watching;
        watching.add(() => {
          if (subscriber !== watching) return;
          subscriber = undefined;
          hasLeft = true;
          cancel('The client has left.');
        });
        writer.start(ids, before);
        if (hasLeft) return;
        work();
        writer.takeUp();
      }),
    begin(start) {
      try {
        invocation = start();
      } catch (error) {
        return writer.error(error);
      }
      // Left while it began.
      if (hasLeft) cancel('The client has left.');
      invocation.events$.subscribe({
        next: writer.next,
        error(error: unknown) {
          end();
          writer.error(error);
        },
        complete() {
          end();
          writer.complete();
        },
      });
    },
    interrupts: () => interrupts,
    decide(decisions) {
      if (!invocation) return;
      const { id: invocationId, decideToolCall } = invocation;
      const calls = [...decisions].map(([id, decision]) => [callIdOf(invocationId, id), decision] as const);
      // All of them first: what the first one sets going must not look as if it waited for the second.
      for (const [id] of calls) writer.decide(id);
      for (const [id, decision] of calls) decideToolCall(id, decision);
    },
    cancel,
  };
  return live;
}
