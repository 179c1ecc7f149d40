import { filter, type OperatorFunction } from 'rxjs';
import type { AiServiceEvent } from './ai-service-event.ts';

/**
 * Lets through the events of one class.
 *
 *     events    s-q-r-t-c
 *     ofEvent(ToolExecutedEvent)
 *               ------t--
 *
 * @example
 * service.events$.pipe(ofEvent(ToolExecutedEvent)).subscribe((event) => console.log(event.request.name));
 */
export function ofEvent<E>(type: abstract new (...fields: never[]) => E): OperatorFunction<AiServiceEvent, E> {
  return filter((event): event is AiServiceEvent & E => event instanceof type);
}
