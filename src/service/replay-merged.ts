import { Observable, Subject, type Observer } from 'rxjs';
import { InvocationCancelledError } from './service-errors.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';

/** A running invocation that many can watch: fed on one side, watched on the other. */
export interface MergedReplay extends Observer<AiServiceStreamingEvent> {
  readonly events$: Observable<AiServiceStreamingEvent>;
  /** Whether anybody was told that it failed. */
  isFailureTold(): boolean;
}

/**
 * Multicasts events and replays them to those who come late, neighbouring pieces of one text as one piece: a late
 * subscriber misses nothing, and ten thousand tokens are not kept one by one.
 *
 *     source  -a-b-c---d|
 *     late          ^-------     a, b and c are partial responses:
 *                   (abc)d|      they come as one
 */
export function replayMerged(): MergedReplay {
  const live = new Subject<AiServiceStreamingEvent>();
  const past: AiServiceStreamingEvent[] = [];
  const drop = (round: number) => {
    const kept = past.filter((event) => event.round !== round || event.type === 'roundRestarted');
    past.splice(0, past.length, ...kept);
  };
  const untold: (() => void)[] = [];
  let isTelling = false;
  let isFailureTold = false;
  /** A watcher may act on an event, as by a decision: the others hear of the event before they hear what came of that. */
  const inOrder = (tell: () => void) => {
    untold.push(tell);
    if (isTelling) return;
    isTelling = true;
    for (let next = untold.shift(); next; next = untold.shift()) next();
    isTelling = false;
  };
  const tellAll = (event: AiServiceStreamingEvent) => {
    // Who comes later has been shown nothing that it would have to drop.
    if (event.type === 'roundRestarted') drop(event.round);
    const merged = mergedWith(past.at(-1), event);
    if (merged) past[past.length - 1] = merged;
    else past.push(event);
    live.next(event);
  };
  return {
    events$: new Observable((subscriber) => {
      // The past first; what happens while it is told queues up behind it.
      const missed = [...past];
      let isCatchingUp = true;
      const tell = () => {
        for (let event = missed.shift(); event && !subscriber.closed; event = missed.shift()) subscriber.next(event);
      };
      const subscription = live.subscribe({
        next: (event) => (isCatchingUp ? missed.push(event) : subscriber.next(event)),
        error: (error: unknown) => {
          isFailureTold = true;
          tell();
          subscriber.error(error);
        },
        complete: () => {
          tell();
          subscriber.complete();
        },
      });
      tell();
      isCatchingUp = false;
      return subscription;
    }),
    isFailureTold: () => isFailureTold,
    next: (event) => inOrder(() => tellAll(event)),
    error: (error: Error) => {
      // A cancel releases everybody at once.
      if (!(error instanceof InvocationCancelledError)) return inOrder(() => live.error(error));
      untold.length = 0;
      live.error(error);
    },
    complete: () => inOrder(() => live.complete()),
  };
}

function mergedWith(
  last: AiServiceStreamingEvent | undefined,
  event: AiServiceStreamingEvent,
): AiServiceStreamingEvent | undefined {
  if (last?.round !== event.round) return undefined;
  switch (event.type) {
    case 'partialResponse':
    case 'partialThinking':
      return last.type === event.type ? { ...last, text: last.text + event.text } : undefined;
    case 'partialToolCall':
      return last.type === event.type && last.index === event.index
        ? { ...last, partialArguments: last.partialArguments + event.partialArguments }
        : undefined;
    default:
      return undefined;
  }
}
