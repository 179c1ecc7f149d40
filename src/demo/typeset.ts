import { Observable, type OperatorFunction } from 'rxjs';
import type { Paint } from './paint.ts';
import { marks, type Passage, type Tone } from './passage.ts';
import { printable } from './printable.ts';
import { textFlow } from './text-flow.ts';

export interface Page {
  readonly columns: number;
  readonly paint: Paint;
}

/** Columns to the left of the text, where the time stands. */
const margin = 10;
const titleWidth = 14;

/**
 * Sets passages for a terminal: text flows on and is wrapped, a line stands alone, and the text goes on below it.
 *
 *     passages  t-u-l---t-|      l: a line
 *     result    --t-(ul)--(t|)   a word is whole when something follows it
 */
export function typeset({ columns, paint }: Page): OperatorFunction<Passage, string> {
  return (passages) =>
    new Observable((subscriber) => {
      const flow = textFlow(margin, columns);
      let tone: Tone = 'plain';
      const set = (passage: Passage): string => {
        if (passage.type === 'line')
          return paint(tone, passage.isAside ? flow.interrupt() : flow.end()) + lineOf(passage, { columns, paint });
        const { text, tone: next = 'plain' } = passage;
        const before = next === tone ? '' : paint(tone, flow.end());
        tone = next;
        return before + paint(tone, flow.add(printable(text)));
      };
      const emit = (text: string) => {
        if (text) subscriber.next(text);
      };
      return passages.subscribe({
        next: (passage) => emit(set(passage)),
        error: (error: unknown) => {
          emit(paint(tone, flow.end()));
          subscriber.error(error);
        },
        complete: () => {
          emit(paint(tone, flow.end()));
          subscriber.complete();
        },
      });
    });
}

function lineOf(
  { at, mark = 'plain', title, detail = '' }: Extract<Passage, { type: 'line' }>,
  { columns, paint }: Page,
): string {
  const { sign, tone } = marks[mark];
  const time = at === undefined ? '' : `${(at / 1000).toFixed(2)} s`;
  const room = columns - margin - titleWidth - 3;
  const name = shortened(printable(title).replace(/\s+/g, ' '), columns);
  const text = shortened(printable(detail).replace(/\s+/g, ' '), room);
  return (
    `${paint('dim', time.padStart(margin - 2))}  ${paint(tone, sign)} ${paint(mark === 'round' ? tone : 'plain', name.padEnd(titleWidth))} ${text}`.trimEnd() +
    '\n'
  );
}

function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
