import { Subject, type Observable } from 'rxjs';
import type { Logger } from '../tool/types.ts';
import { quietly } from '../tool/quietly.ts';
import type { AiServiceEvent } from './ai-service-event.ts';

export type AiServiceListener = (event: AiServiceEvent) => void;

/** Where the events of all invocations of a service meet those who look on. */
export interface EventHub {
  readonly events$: Observable<AiServiceEvent>;
  /** Makes the event and hands it out, if anybody is there. What a listener throws is logged and changes nothing. */
  fire(makeEvent: () => AiServiceEvent): void;
}

export function eventHub(listeners: readonly AiServiceListener[], logger: Logger): EventHub {
  const subject = new Subject<AiServiceEvent>();
  return {
    events$: subject.asObservable(),
    fire(makeEvent) {
      if (listeners.length === 0 && !subject.observed) return;
      const event = makeEvent();
      for (const listener of listeners) callSafely(listener, event, logger);
      subject.next(event);
    },
  };
}

function callSafely(listener: AiServiceListener, event: AiServiceEvent, logger: Logger): void {
  try {
    const returned: unknown = listener(event);
    // An async listener is allowed by the types; its failure must not become an unhandled rejection.
    if (returned instanceof Promise)
      returned.catch((error: unknown) => quietly(() => logger.error(`A listener failed on the event ${event.type}.`, error)));
  } catch (error) {
    quietly(() => logger.error(`A listener threw on the event ${event.type}.`, error));
  }
}
