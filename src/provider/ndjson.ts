import { Observable, type OperatorFunction } from 'rxjs';
import { parseJson } from '../chat/parse-json.ts';
import { shownLength, type FramingOptions } from './framing-options.ts';
import type { WireEvent } from './wire-events.ts';

/**
 * Text to lines of JSON. Blank lines are nothing; the last line needs no end. A body whose first line is no JSON is no such stream.
 *
 *     text    -x--y-|     x: '{"a":1}\n{'   y: '"b":2}'
 *     events  -1----(2|)
 */
export function ndjson({ maxEventSize, tooLarge, noEvent }: FramingOptions): OperatorFunction<string, WireEvent> {
  return (source) =>
    new Observable((subscriber) => {
      /** The line that has not ended yet, in pieces: a long one must not be joined anew for each. */
      let pieces: string[] = [];
      let length = 0;
      let hasEvent = false;
      /** A body that is something else, as far as it is shown. */
      let foreign: string | undefined;

      const add = (piece: string) => {
        length += piece.length;
        if (length > maxEventSize) return subscriber.error(tooLarge());
        if (piece) pieces.push(piece);
      };
      const endLine = () => {
        const data = pieces.join('').trim();
        pieces = [];
        length = 0;
        if (!data) return;
        if (!hasEvent && parseJson(data) === undefined) foreign = `${data}\n`;
        else {
          hasEvent = true;
          subscriber.next({ data });
        }
      };
      const read = (text: string) => {
        let from = 0;
        for (let end = text.indexOf('\n'); end >= 0 && !subscriber.closed; end = text.indexOf('\n', from)) {
          add(text.slice(from, end));
          from = end + 1;
          if (!subscriber.closed) endLine();
          if (foreign !== undefined) break;
        }
        if (subscriber.closed) return;
        if (foreign === undefined) add(text.slice(from));
        else foreign += text.slice(from, from + shownLength);
      };
      return source.subscribe({
        next: (text) => {
          if (subscriber.closed) return;
          if (foreign === undefined) read(text);
          else if (foreign.length < shownLength) foreign += text;
        },
        error: (error: unknown) => subscriber.error(error),
        complete: () => {
          if (subscriber.closed) return;
          if (foreign === undefined) endLine();
          // An object that was cut off is no other kind of body.
          const isCut = foreign?.startsWith('{') && parseJson(foreign) === undefined;
          if (isCut) subscriber.next({ data: foreign! });
          if (isCut || hasEvent) subscriber.complete();
          else subscriber.error(noEvent(foreign ?? ''));
        },
      });
    });
}
