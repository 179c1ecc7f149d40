import { Observable, filter, type Subscriber } from 'rxjs';
import { isCut } from '../chat/is-cut.ts';
import { AiServiceResponseReceivedEvent } from '../event/model-events.ts';
import { ofEvent } from '../event/of-event.ts';
import type { AiService } from '../service/ai-service.ts';
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

export interface LiveRunOptions extends Omit<RunWriterOptions, 'emit'> {
  readonly service: Pick<AiService, 'events$'>;
  /** Told before the client is. */
  readonly onInterrupted: (live: LiveRun) => void;
}

export function liveRun({ service, onInterrupted, ...options }: LiveRunOptions): LiveRun {
  let subscriber: Subscriber<AgUiEvent> | undefined;
  let invocation: Invocation<unknown> | undefined;
  let interrupts: readonly AgUiInterrupt[] = [];
  /** What has happened while nobody watched: a call that waits may be answered by the application. */
  const held: (() => void)[] = [];

  const emit = (event: AgUiEvent) => {
    if (event.type !== 'RUN_FINISHED' && event.type !== 'RUN_ERROR') return subscriber?.next(event);
    // Whoever is told may begin the next run at once: this one must be out of the way.
    const told = subscriber;
    subscriber = undefined;
    if (event.type === 'RUN_FINISHED' && event.outcome.type === 'interrupt') {
      ({ interrupts } = event.outcome);
      onInterrupted(live);
    }
    told?.next(event);
    told?.complete();
  };
  const writer = runWriter({ ...options, emit });
  const tell = (work: () => void) => {
    if (writer.isRunning()) work();
    else held.push(work);
  };
  const live: LiveRun = {
    run: (ids, before, work) =>
      new Observable((watching) => {
        subscriber = watching;
        watching.add(() => {
          if (subscriber !== watching) return;
          subscriber = undefined;
          live.cancel('The client has left.');
        });
        writer.start(ids, before);
        if (watching.closed) return;
        work();
        while (writer.isRunning() && held.length > 0) held.shift()!();
      }),
    begin(start) {
      const cut = new Set<string>();
      // The events of the stream do not tell of an answer that was cut while a call of it waits.
      const hearing = service.events$
        .pipe(
          ofEvent(AiServiceResponseReceivedEvent),
          filter(({ response }) => isCut(response.finishReason)),
        )
        .subscribe({
          next: ({ invocation: { invocationId } }) => {
            cut.add(invocationId);
            if (invocation?.id === invocationId) tell(writer.answered);
          },
          error: () => undefined,
        });
      const end = (how: () => void) => {
        hearing.unsubscribe();
        tell(how);
      };
      try {
        invocation = start();
      } catch (error) {
        return end(() => writer.error(error));
      }
      invocation.events$.subscribe({
        next: (event) => tell(() => writer.next(event)),
        error: (error: unknown) => end(() => writer.error(error)),
        complete: () => end(writer.complete),
      });
      if (cut.has(invocation.id)) tell(writer.answered);
      // Left while it began.
      if (!subscriber && writer.isRunning()) live.cancel('The client has left.');
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
    cancel: (reason) => invocation?.cancel(reason),
  };
  return live;
}
