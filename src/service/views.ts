import { filter, map, type Observable } from 'rxjs';
import { resultOf } from './epilogue.ts';
import type { Result } from './result.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';

/**
 * Every partial text as it streams, those beside tool calls included.
 *
 *     events  -t-A-u--f|
 *     text    -t---u---|
 */
export function textView(events: Observable<AiServiceStreamingEvent>): Observable<string> {
  return events.pipe(
    filter((event) => event.type === 'partialResponse'),
    map(({ text }) => text),
  );
}

/**
 * One value, at the end.
 *
 *     events  -t-A-u--f|
 *     result  --------r|
 */
export function resultView(events: Observable<AiServiceStreamingEvent>): Observable<Result<string>> {
  return events.pipe(
    filter((event) => event.type === 'finalResponse'),
    map(resultOf),
  );
}
