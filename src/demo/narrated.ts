import {
  connect,
  distinctUntilChanged,
  filter,
  map,
  merge,
  mergeMap,
  timestamp,
  type OperatorFunction,
  type Timestamp,
} from 'rxjs';
import type { AiServiceStreamingEvent } from '../index.ts';
import type { Passage } from './passage.ts';
import { passagesOf } from './passages-of.ts';

/**
 * Tells an invocation while it happens.
 *
 *     events    -----t-u---v---f|             v: of the next round
 *     passages  -----(rt)-u---(rv)---(xyz)|   r: a round begins
 */
export function narrated(): OperatorFunction<AiServiceStreamingEvent, Passage> {
  return (events) =>
    events.pipe(
      timestamp(),
      connect((timed) =>
        merge(
          timed.pipe(
            // What comes before the first request belongs to none.
            filter(({ value }) => value.round > 0),
            distinctUntilChanged((one, other) => one.value.round === other.value.round),
            map(roundBegins),
          ),
          timed.pipe(mergeMap(({ value, timestamp }) => passagesOf(value, timestamp))),
        ),
      ),
    );
}

function roundBegins({ value, timestamp }: Timestamp<AiServiceStreamingEvent>): Passage {
  return { type: 'line', at: timestamp - value.invocation.timestamp, mark: 'round', title: `round ${value.round}` };
}
