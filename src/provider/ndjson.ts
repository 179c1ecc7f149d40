import { Observable, type OperatorFunction } from 'rxjs';
import { parseJson } from '../chat/parse-json.ts';
import { shownLength, type Framing, type FramingOptions } from './framing.ts';
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
        if (!hasEvent && parseJson(data) === undefined) foreign = `${data}\n`.slice(0, shownLength);
        else {
          hasEvent = true;
          subscriber.next({ data });
        }
      };
      const addForeign = (text: string) => {
        foreign += text.slice(0, shownLength - foreign!.length);
        // A page without end is not read to its end.
        if (foreign!.length >= shownLength) endForeign();
      };
      const endForeign = () => {
        // Lines of which the first is broken, be it cut off, are no other kind of body: who reads them says which.
        const isBroken = foreign?.startsWith('{') && parseJson(foreign) === undefined;
        if (isBroken) foreign!.split('\n').forEach((data) => data.trim() && subscriber.next({ data: data.trim() }));
        if (isBroken || hasEvent) subscriber.complete();
        else subscriber.error(noEvent(foreign ?? ''));
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
        else addForeign(text.slice(from));
      };
      return source.subscribe({
        next: (text) => {
          if (subscriber.closed) return;
          if (foreign === undefined) read(text);
          else addForeign(text);
        },
        error: (error: unknown) => subscriber.error(error),
        complete: () => {
          if (subscriber.closed) return;
          if (foreign === undefined) endLine();
          if (!subscriber.closed) endForeign();
        },
      });
    });
}

export const ndjsonFraming: Framing = { accept: 'application/x-ndjson', events: ndjson };
