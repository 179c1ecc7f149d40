import { Observable, interval } from 'rxjs';
import { jsonText } from '../chat/json-safe.ts';
import { longestTimer } from '../chat/longest-timer.ts';
import { subscribeEarly } from '../chat/subscribe-early.ts';
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
export function sseChunks(
  values: Observable<unknown>,
  { heartbeat, lastData, scheduler }: Pick<SseSettings, 'heartbeat' | 'lastData' | 'scheduler'>,
): Observable<string> {
  return new Observable((subscriber) => {
    let isQuiet = true;
    const fail = (error: unknown) => subscriber.error(error);
    // One timer for all: to restart it at each token would cost more than the token.
    const beat = () => {
      if (isQuiet) subscriber.next(comment);
      isQuiet = true;
    };
    if (heartbeat <= longestTimer) subscriber.add(interval(heartbeat, scheduler).subscribe({ next: beat, error: fail }));
    const observer = {
      next(value: unknown) {
        isQuiet = false;
        // JSON has no word for `undefined`.
        subscriber.next(sseText(jsonText(value ?? null)));
      },
      error: fail,
      complete() {
        if (lastData !== undefined) subscriber.next(sseText(lastData));
        subscriber.complete();
      },
    };
    subscribeEarly(values, observer, (subscription) => subscriber.add(subscription));
  });
}
