import type { Layout } from '../layout/layout.ts';
import { ticksOf } from '../layout/ticks.ts';
import { cellsOf, type Cells } from './cells.ts';
import { separator } from './glyphs.ts';

/** Columns that a label of the axis needs, with some air. */
const tickRoom = 12;

/** The times, each above the column in which it lies. */
export function timeRow(span: number, columns: number): Cells {
  const cells = cellsOf(columns);
  let next = 0;
  for (const { at, label } of ticksOf(span, Math.max(2, Math.floor(columns / tickRoom)))) {
    const column = Math.floor((at / span) * columns);
    // The last one may stand at the very end, where its label would be cut.
    if (column < next || column + label.length + 1 > columns) continue;
    cells.put(column, { sign: '╷', tone: 'dim' });
    cells.write(column + 1, label, 'dim');
    next = column + label.length + 2;
  }
  return cells;
}

/** The numbers of the rounds where they begin, and the columns of those that there was room for. */
export function roundRow(
  { rounds, span }: Layout,
  columns: number,
): { readonly cells: Cells; readonly starts: readonly number[] } {
  const cells = cellsOf(columns);
  const starts: number[] = [];
  let next = 0;
  for (const { number, isDropped, start } of rounds) {
    const column = Math.min(columns - 1, Math.floor((start / span) * columns));
    const forms = isDropped ? [`${number} (dropped)`, `${number}`] : [`${number}`];
    const text = forms.find((form) => column + 1 + form.length <= columns);
    if (column < next || text === undefined) continue;
    cells.put(column, separator);
    cells.write(column + 1, text, 'bold');
    next = column + text.length + 2;
    starts.push(column);
  }
  return { cells, starts };
}
