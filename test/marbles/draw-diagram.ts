import type { Mark } from '../../src/testing/marbles.ts';
import { axisLabel } from './read-diagram.ts';

/** What happens on a line from a frame on, for so many frames. */
export interface Span {
  readonly from: number;
  readonly length: number;
  /** By their place on the axis. */
  readonly marks: readonly Mark[];
}

export interface Row {
  /** Empty for one that continues the row above it. */
  readonly label: string;
  readonly spans: readonly Span[];
}

/** As many frames in which nothing happens are drawn as dashes; more are told as `20ms`. */
const mostIdle = 12;

/** Frames of the axis that have a label. */
const step = 5;

/** A stretch of the axis, and what each row has there. */
interface Column {
  readonly frame: number;
  readonly cells: readonly string[];
}

/** Draws rows under each other so that each frame has its column in all of them, below an axis of ms. */
export function drawDiagram(rows: readonly Row[]): readonly string[] {
  const columns = shortened(rows);
  const widths = columns.map(({ cells }) => Math.max(...cells.map((cell) => cell.length)));
  const labelWidth = Math.max(...rows.map(({ label }) => label.length)) + 3;
  const line = (label: string, body: string) => (label.padEnd(labelWidth) + body).trimEnd();
  return [
    line(axisLabel, axisOf(columns, widths)),
    ...rows.map(({ label }, row) => line(label, columns.map(({ cells }, place) => cells[row]!.padEnd(widths[place]!)).join(''))),
  ];
}

function shortened(rows: readonly Row[]): readonly Column[] {
  const end = Math.max(...rows.flatMap(({ spans }) => spans.map(({ from, length }) => from + length)));
  const columns: Column[] = [];
  for (let frame = 0; frame < end;) {
    const cells = rows.map((row) => cellOf(row, frame));
    const idle = idleFrames(rows, frame, end);
    columns.push({ frame, cells: idle > mostIdle ? cells.map((cell) => (cell === '-' ? ` ${idle}ms ` : ' ')) : cells });
    frame += idle > mostIdle ? idle : 1;
  }
  return columns;
}

/** How long all rows stay as they are from a frame on. */
function idleFrames(rows: readonly Row[], frame: number, end: number): number {
  const stateAt = (at: number) => rows.map((row) => cellOf(row, at)).join();
  const state = stateAt(frame);
  if (/[^-, ]/.test(state)) return 0;
  let next = frame + 1;
  while (next < end && stateAt(next) === state) next++;
  return next - frame;
}

function cellOf({ spans }: Row, frame: number): string {
  const span = spans.find(({ from, length }) => frame >= from && frame < from + length);
  if (!span) return ' ';
  const symbols = span.marks.filter((mark) => mark.frame === frame).map(({ symbol }) => symbol);
  return symbols.length > 1 ? `(${symbols.join('')})` : (symbols[0] ?? '-');
}

function axisOf(columns: readonly Column[], widths: readonly number[]): string {
  let axis = '';
  let at = 0;
  columns.forEach(({ frame }, place) => {
    const hasRoom = axis.length === 0 || axis.length < at;
    if (frame % step === 0 && hasRoom) axis = axis.padEnd(at) + String(frame);
    at += widths[place]!;
  });
  return axis;
}
