import { Observable, asyncScheduler, type OperatorFunction } from 'rxjs';
import type { AiServiceEvent } from '../event/ai-service-event.ts';
import { checkedOptions, type RecordTimelineOptions } from './recorder/options.ts';
import { invocationWatch, type InvocationWatch } from './recorder/invocation-watch.ts';
import type { Timeline } from './timeline.ts';

const endings: ReadonlySet<string> = new Set(['completed', 'error', 'cancelled']);

/**
 * Records all invocations that start while it watches, and emits each when it has ended. What is undone after a cancel, and what
 * follows a failure that is tried again, is told too late for it: for these record the one invocation.
 *
 *     service.events$  -a-b-a--b-|     the second a and b: their ends
 *     timelines()      -----a--b-|
 *
 * @example
 * assistant.events$.pipe(timelines()).subscribe((timeline) => console.log(renderAscii(timeline)));
 */
export function timelines(
  options: Pick<RecordTimelineOptions, 'scheduler' | 'maxText'> = {},
): OperatorFunction<AiServiceEvent, Timeline> {
  const { scheduler = asyncScheduler, maxText } = checkedOptions('timelines', options, ['scheduler', 'maxText']);
  return (events$) =>
    new Observable((subscriber) => {
      const watches = new Map<string, InvocationWatch>();
      const watchOf = (invocationId: string) =>
        invocationWatch({ now: () => scheduler.now(), maxText, invocationId, onChange: () => undefined });
      const next = (event: AiServiceEvent) => {
        const { invocationId } = event.invocation;
        if (event.type === 'started') watches.set(invocationId, watchOf(invocationId));
        const watch = watches.get(invocationId);
        watch?.hearing.next?.(event);
        if (!watch || !endings.has(event.type)) return;
        watches.delete(invocationId);
        subscriber.next(watch.timeline());
      };
      return events$.subscribe({
        next,
        error: (error: unknown) => subscriber.error(error),
        complete: () => subscriber.complete(),
      });
    });
}
