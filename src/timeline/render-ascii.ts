import { checkCount, checkFlag, checkKnownOptions } from '../chat/option-checks.ts';
import { roundRow, timeRow } from './ascii/axis-rows.ts';
import { cellsOf, type Cells } from './ascii/cells.ts';
import { separator } from './ascii/glyphs.ts';
import { drawLane } from './ascii/lane-row.ts';
import { legendLines } from './ascii/legend-lines.ts';
import { cutToWidth, padToWidth, textWidth } from './layout/text-width.ts';
import { paintNothing, paintTones, type Tone } from './ascii/tones.ts';
import { layoutOf, type Lane } from './layout/layout.ts';
import { printable } from './layout/printable.ts';
import type { Timeline } from './timeline.ts';

export interface RenderAsciiOptions {
  /** Columns; no line is wider. 80 by default. */
  readonly width?: number | undefined;
  /** Whether to colour it with the codes of terminals; not by default. */
  readonly color?: boolean | undefined;
  /** Instead of the service's name. */
  readonly title?: string | undefined;
  /** How many lanes the calls get at most; one of them is for all that have none of their own. 24 by default. */
  readonly maxCalls?: number | undefined;
}

/**
 * Draws a timeline for a terminal: a lane for the model and one for each call, with the time from left to right.
 *
 * Throws a `ConfigurationError` when the options can't work.
 *
 * @example
 * console.log(renderAscii(recorder.timeline(), { width: process.stdout.columns, color: process.stdout.isTTY }));
 */
export function renderAscii(timeline: Timeline, options: RenderAsciiOptions = {}): string {
  checkKnownOptions('renderAscii', options, ['width', 'color', 'title', 'maxCalls']);
  const { width = 80, color = false, title, maxCalls = 24 } = options;
  checkCount('renderAscii', 'width', width, 1);
  checkCount('renderAscii', 'maxCalls', maxCalls, 1);
  checkFlag('renderAscii', 'color', color);
  const layout = layoutOf(timeline, maxCalls, title);
  const paint = color ? paintTones : paintNothing;
  const lanes = [layout.model, ...layout.calls];
  const labels = lanes.map(({ label }) => printable(label));
  const labelWidth = Math.min(Math.floor(width * 0.3), Math.max(5, ...labels.map(textWidth)));
  const columns = Math.max(1, width - labelWidth - 1);
  const rounds = roundRow(layout, columns);

  const row = (label: string, tone: Tone, cells: Cells) => {
    const shown = labelWidth > 0 ? `${paint(tone, cutToWidth(label, labelWidth))}${blanks(label, labelWidth)} ` : '';
    return `${shown}${cells.line(paint)}`;
  };
  const laneRow = (lane: Lane, place: number) => {
    const cells = cellsOf(columns);
    drawLane(lane, cells, layout.span);
    for (const column of rounds.starts.slice(1)) if (cells.isFree(column)) cells.put(column, separator);
    return row(labels[place]!, place === 0 ? 'bold' : 'plain', cells);
  };
  const heading = [layout.title, layout.headline].map(printable).filter(Boolean).join('  ');
  const problem = printable(layout.problem);
  return [
    paint('bold', cutToWidth(heading, width)),
    ...(problem ? [paint('red', cutToWidth(problem, width))] : []),
    '',
    row('', 'plain', timeRow(layout.span, columns)),
    row('round', 'dim', rounds.cells),
    ...lanes.map(laneRow),
    '',
    ...legendLines(layout, width, paint),
  ]
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();
}

/** What fills a label up, outside of its colour. */
const blanks = (label: string, width: number): string => padToWidth('', width - textWidth(cutToWidth(label, width)));
