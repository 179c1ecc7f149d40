import type { Lane, Mark } from '../layout/layout.ts';
import { printable } from '../layout/printable.ts';
import type { Cells } from './cells.ts';
import { glyphs } from './glyphs.ts';
import { cutToWidth, textWidth } from '../layout/text-width.ts';

/** Draws a lane on a line: its bars, its marks over them, and beside them what there is to say. */
export function drawLane({ bars, marks, note, detail }: Lane, cells: Cells, span: number): void {
  const columnAt = (at: number) => Math.min(cells.length - 1, Math.max(0, Math.floor((at / span) * cells.length)));
  for (const { kind, start, end } of bars) {
    const first = columnAt(start);
    // A bar that ends where a column begins does not reach into it.
    const last = Math.max(first, Math.min(cells.length, Math.ceil((end / span) * cells.length)) - 1);
    for (let column = first; column <= last; column++) cells.put(column, glyphs[kind]);
  }
  const taken = new Set<number>();
  const put = ({ kind }: Mark, column: number) => {
    taken.add(column);
    cells.put(column, glyphs[kind]);
  };
  for (const mark of marks) {
    if (mark.kind !== 'progress') put(mark, freeColumn(columnAt(mark.at), taken, cells.length));
  }
  for (const mark of marks) {
    const column = columnAt(mark.at);
    if (mark.kind === 'progress' && !taken.has(column)) put(mark, column);
  }
  writeNote(cells, printable(note), printable(detail));
}

/** Two marks of one moment stand side by side. */
function freeColumn(wanted: number, taken: ReadonlySet<number>, length: number): number {
  for (let distance = 0; distance < length; distance++) {
    if (!taken.has(wanted + distance) && wanted + distance < length) return wanted + distance;
    if (!taken.has(wanted - distance) && wanted - distance >= 0) return wanted - distance;
  }
  return wanted;
}

/** As little of a detail as says anything. */
const leastDetail = 8;

/** To the right of what is drawn; where there is no room for it, to the left; or nowhere. */
function writeNote(cells: Cells, note: string, detail: string): void {
  const bounds = cells.bounds();
  if (!note || !bounds) return;
  const from = bounds.last + 2;
  const width = textWidth(note);
  if (from + width <= cells.length) {
    cells.write(from, note, 'dim');
    const room = cells.length - from - width - 2;
    if (detail && room >= leastDetail) cells.write(from + width, `: ${cutToWidth(detail, room)}`, 'dim');
  } else if (width < bounds.first) {
    cells.write(bounds.first - width - 1, note, 'dim');
  }
}
