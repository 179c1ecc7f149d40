import {
  concat,
  defer,
  endWith,
  filter,
  ignoreElements,
  interval,
  map,
  merge,
  of,
  share,
  takeUntil,
  type Observable,
} from 'rxjs';
import { jsonText } from '../chat/json-safe.ts';
import type { SseSettings } from './sse-options.ts';
import { sseText } from './sse-text.ts';

/** To a client nothing; to what stands between a sign of life. */
const comment = ':\n\n';

/**
 * A stream of values as the text of server-sent events: each value is an event of its JSON. Where nothing has come for a heartbeat, a comment.
 *
 *     values  --a--------b|
 *     text    --A-----:--(Bl)|     heartbeat: 4 frames; l: the last data
 */
export function sseChunks(values: Observable<unknown>, { heartbeat, lastData, scheduler }: SseSettings): Observable<string> {
  return defer(() => {
    let isQuiet = true;
    const event$ = values.pipe(
      map((value) => {
        isQuiet = false;
        return sseText(jsonText(value));
      }),
      share(),
    );
    // One timer for all: to restart it at each token would cost more than the token.
    const beat$ = interval(heartbeat, scheduler).pipe(
      filter(() => {
        const wasQuiet = isQuiet;
        isQuiet = true;
        return wasQuiet;
      }),
      map(() => comment),
      takeUntil(event$.pipe(ignoreElements(), endWith(undefined))),
    );
    const end$ = lastData === undefined ? [] : of(sseText(lastData));
    return concat(merge(beat$, event$), end$);
  });
}
