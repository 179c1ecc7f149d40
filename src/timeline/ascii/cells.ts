import { characterWidth } from '../layout/text-width.ts';
import type { Paint, Tone } from './tones.ts';

/** One column of a line; behind a character of two columns comes one without a sign. */
interface Cell {
  readonly sign: string;
  readonly tone: Tone;
}

/** A line of so many columns, to be drawn on. */
export interface Cells {
  readonly length: number;
  isFree(column: number): boolean;
  put(column: number, cell: Cell): void;
  /** Puts a text, all of which must fit. */
  write(column: number, text: string, tone: Tone): void;
  /** The first and the last column that are not free. */
  bounds(): { readonly first: number; readonly last: number } | undefined;
  /** Without the blanks at its end. */
  line(paint: Paint): string;
}

export function cellsOf(length: number): Cells {
  const cells: (Cell | undefined)[] = new Array<Cell | undefined>(length).fill(undefined);
  const put = (column: number, cell: Cell) => {
    if (column >= 0 && column < length) cells[column] = cell;
  };
  return {
    length,
    isFree: (column) => cells[column] === undefined,
    put,
    write(from, text, tone) {
      let column = from;
      for (const character of text) {
        const width = characterWidth(character);
        // An accent belongs to the character before it.
        if (width === 0) put(column - 1, { sign: (cells[column - 1]?.sign ?? '') + character, tone });
        else put(column, { sign: character, tone });
        if (width === 2) put(column + 1, { sign: '', tone });
        column += width;
      }
    },
    bounds() {
      const first = cells.findIndex((cell) => cell !== undefined);
      return first < 0 ? undefined : { first, last: cells.findLastIndex((cell) => cell !== undefined) };
    },
    line(paint) {
      let painted = '';
      let run = '';
      let tone: Tone = 'plain';
      const last = cells.findLastIndex((cell) => cell !== undefined && cell.sign !== ' ');
      for (const cell of cells.slice(0, last + 1)) {
        const next = cell?.tone ?? 'plain';
        if (next !== tone) {
          painted += paint(tone, run);
          run = '';
          tone = next;
        }
        run += cell?.sign ?? ' ';
      }
      return painted + paint(tone, run);
    },
  };
}
