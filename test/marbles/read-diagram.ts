import { parseMarbles, type Mark } from '../../src/testing/marbles.ts';

/** A line of a diagram with those that continue it. */
export interface Lane {
  readonly label: string;
  /** What stands on the lane: of a source one diagram for each time that it runs, in the order of their columns. */
  readonly runs: readonly Run[];
  /** When it is subscribed to and left, where a line below says so. */
  readonly subscription?: string;
}

export interface Run {
  readonly marbles: string;
  readonly marks: readonly Mark[];
  /** How many frames it has, the last mark's included. */
  readonly length: number;
}

/** The axis of time; it is written anew with each drawing. */
export const axisLabel = 'ms';

const subscriptionLine = /^(?=.*[\^!])(?:[-^!()\s]|\d+ms)+$/;

/** Reads the lanes of a diagram. Columns are for the eye, but for the order of runs: blanks are nothing. */
export function readDiagram(diagram: string): readonly Lane[] {
  const lanes: { label: string; runs: { column: number; run: Run }[]; subscription?: string }[] = [];
  for (const line of linesOf(diagram)) {
    const [, label = '', gap = '', rest = ''] = /^(\S+(?: \S+)*)?(\s*)(.*)$/.exec(line) ?? [];
    if (label === axisLabel) continue;
    if (label) lanes.push({ label, runs: [] });
    const lane = lanes.at(-1);
    if (!lane) throw new Error(`The diagram begins with a line that has no name: ${line}`);
    if (!label && subscriptionLine.test(rest)) lane.subscription = rest;
    else lane.runs.push(...runsOf(rest, label.length + gap.length));
  }
  return lanes.map(({ runs, ...lane }) => ({
    ...lane,
    runs: runs.sort((one, other) => one.column - other.column).map(({ run }) => run),
  }));
}

/** The lines of a text in the code, without what they are indented by. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const indent = Math.min(...lines.map((line) => line.search(/\S/)));
  return lines.map((line) => line.slice(indent).trimEnd());
}

/** Splits a line behind each end of a source: a `|` or `#`, or the group that has one. */
function runsOf(text: string, offset: number): readonly { column: number; run: Run }[] {
  return [...text.matchAll(/(?=\S)(?:\([^)]*\)|[^|#(])*?(?:\([^)]*[|#][^)]*\)|[|#]|$)/g)].map(({ 0: marbles, index }) => ({
    column: offset + index,
    run: runOf(marbles.trim()),
  }));
}

function runOf(marbles: string): Run {
  // A symbol behind it tells how long it is: dashes at its end are time, too.
  const [end, ...marks] = [...parseMarbles(`${marbles};`)].reverse();
  return { marbles, marks: marks.reverse(), length: end!.frame };
}
