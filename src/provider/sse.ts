import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { Observable, type OperatorFunction } from 'rxjs';
import { shownLength, type Framing, type FramingOptions } from './framing.ts';

/** What a line of an event stream begins with. */
const field = /^\uFEFF?(data|event|id|retry)?:/m;

/**
 * Text to server-sent events. Comments are nothing; a last event counts also without the blank line behind it.
 *
 *     text    -x--y-z|     x: 'data: 1\n\n'   y: ': ping\n\ndata:'   z: ' 2'
 *     events  -1----(2|)
 */
export function sse({ maxEventSize, tooLarge, noEvent }: FramingOptions): OperatorFunction<string, EventSourceMessage> {
  return (source) =>
    new Observable((subscriber) => {
      // The body up to its first event: should none ever come, it says what came instead.
      let head: string | undefined = '';
      const parser = createParser({
        maxBufferSize: maxEventSize,
        onEvent: (event) => {
          head = undefined;
          // The parser's own limit is for what it has to hold back.
          if (event.data.length > maxEventSize) subscriber.error(tooLarge());
          else subscriber.next(event);
        },
        onError: ({ type }) => {
          if (type === 'max-buffer-size-exceeded') subscriber.error(tooLarge());
        },
      });
      return source.subscribe({
        next: (text) => {
          if (subscriber.closed) return;
          if (head !== undefined && head.length < shownLength) {
            head = (head + text).trimStart().slice(0, shownLength);
            // A page without end is not read to its end.
            if (head.length === shownLength && !field.test(head)) return subscriber.error(noEvent(head));
          }
          parser.feed(text);
        },
        error: (error: unknown) => subscriber.error(error),
        complete: () => {
          if (subscriber.closed) return;
          parser.feed('\n\n');
          if (head === undefined) subscriber.complete();
          else subscriber.error(noEvent(head));
        },
      });
    });
}

export const sseFraming: Framing = { accept: 'text/event-stream', events: sse };
