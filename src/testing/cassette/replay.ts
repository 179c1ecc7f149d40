import { Observable, type SchedulerLike, type Subscriber, type Subscription } from 'rxjs';
import type { ChatModelEvent } from '../../chat/chat-model.ts';
import { longestTimer } from '../../chat/longest-timer.ts';
import type { CassetteExchange } from './cassette.ts';
import { untapedError } from './taped-error.ts';
import { untapedEvent } from './taped-event.ts';

export interface Pace {
  readonly scheduler: SchedulerLike;
  /** How many times as fast as recorded, or all at once. */
  readonly speed: number | 'instant';
  /** The error for a consumer that stays where the recorded one left. */
  readonly noMore: (at: number) => Error;
}

/** Something of an answer, and when it is due, in ms. */
interface Step {
  readonly due: number;
  readonly happen: (subscriber: Subscriber<ChatModelEvent>) => void;
}

/** ms that a consumer may leave later than the recorded one, since real timers are never on time. */
const patience = 1000;

/** One answer again: its events at their times, and its end. */
export function replay({ events, end }: CassetteExchange, { scheduler, speed, noMore }: Pace): Observable<ChatModelEvent> {
  const dueAt = (at: number) => (speed === 'instant' ? 0 : at / speed);
  const endStep = (): Step => {
    const due = dueAt(end.at);
    if (end.how === 'error') return { due, happen: (subscriber) => subscriber.error(untapedError(end.error)) };
    // Behind its last event an answer has nothing more to say, whether or not somebody still listened.
    const isWhole = end.how === 'complete' || events.at(-1)?.type === 'completeResponse';
    if (isWhole) return { due, happen: (subscriber) => subscriber.complete() };
    return { due: due + patience, happen: (subscriber) => subscriber.error(noMore(end.at)) };
  };
  return new Observable((subscriber) => {
    const start = scheduler.now();
    const last = endStep();
    let timer: Subscription | undefined;
    let next = 0;
    const run = () => {
      while (!subscriber.closed) {
        const event = events[next];
        const due = event ? dueAt(event.at) : last.due;
        const wait = due - (scheduler.now() - start);
        if (due > 0 && wait > 0) {
          timer = scheduler.schedule(run, Math.min(wait, longestTimer));
          return;
        }
        next++;
        if (event) subscriber.next(untapedEvent(event));
        else last.happen(subscriber);
      }
    };
    subscriber.add(() => timer?.unsubscribe());
    run();
  });
}
