import { Subject, type Observable } from 'rxjs';
import type { InvocationContext, InvocationParameters } from '../tool/invocation-context.ts';
import { isPromiseLike } from '../chat/value.ts';
import type { Logger } from '../tool/types.ts';
import { quietly } from '../tool/quietly.ts';
import type { AiServiceEvent } from './ai-service-event.ts';
import { AiServiceInvocationSummaryEvent } from './invocation-summary-event.ts';

export type AiServiceListener = (event: AiServiceEvent) => void;

/** Where the events of all invocations of a service meet those who look on. */
export interface EventHub {
  readonly events$: Observable<AiServiceEvent>;
  /** Whether anybody is there. */
  isWatched(): boolean;
  /** Makes the event and hands it out, if anybody is there. What a listener throws is logged and changes nothing. */
  fire(makeEvent: () => AiServiceEvent): void;
  /** Keeps the events of an invocation from now on, if anybody is there, and fires their summary behind the last one. */
  record(invocation: InvocationContext, isLast: (event: AiServiceEvent) => boolean): void;
}

interface Recorded {
  readonly events: AiServiceEvent[];
  readonly isLast: (event: AiServiceEvent) => boolean;
}

export function eventHub(listeners: readonly AiServiceListener[], logger: Logger): EventHub {
  const subject = new Subject<AiServiceEvent>();
  /** The invocations under way that are recorded, by what also a copy of their context has in common with them. */
  const recordings = new Map<InvocationParameters, Recorded>();

  const isWatched = () => listeners.length > 0 || subject.observed;
  const deliver = (event: AiServiceEvent) => {
    for (const listener of listeners) callSafely(listener, event, logger);
    subject.next(event);
  };
  return {
    events$: subject.asObservable(),
    isWatched,
    record({ parameters }, isLast) {
      if (isWatched()) recordings.set(parameters, { events: [], isLast });
    },
    fire(makeEvent) {
      // Recorded also while nobody is there: who comes before the end gets a summary without a gap.
      if (!isWatched() && recordings.size === 0) return;
      const event = makeEvent();
      const { invocation } = event;
      const recorded = recordings.get(invocation.parameters);
      recorded?.events.push(event);
      if (!recorded?.isLast(event)) return deliver(event);
      // Before it is handed out: what a listener fires when it hears of the end comes too late.
      recordings.delete(invocation.parameters);
      deliver(event);
      deliver(new AiServiceInvocationSummaryEvent({ invocation, events: recorded.events }));
    },
  };
}

function callSafely(listener: AiServiceListener, event: AiServiceEvent, logger: Logger): void {
  try {
    const returned: unknown = listener(event);
    // An async listener is allowed by the types; its failure must not become an unhandled rejection.
    if (isPromiseLike(returned))
      returned.then(undefined, (error: unknown) =>
        quietly(() => logger.error(`A listener failed on the event ${event.type}.`, error)),
      );
  } catch (error) {
    quietly(() => logger.error(`A listener threw on the event ${event.type}.`, error));
  }
}
