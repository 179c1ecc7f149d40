import { parseMarbles, type Mark } from '../../src/testing/marbles.ts';
import type { Row, Span } from './draw-diagram.ts';
import type { Lane, Run } from './read-diagram.ts';

/** A source stands where it was subscribed to, once for each time; a line below tells when it was left before its end. */
export function sourceRows({ label, runs }: Lane, subscriptions: readonly string[]): readonly Row[] {
  const lines: Span[][] = [];
  const left: Mark[] = [];
  subscriptions.forEach((drawn, place) => {
    const run = runs[place] ?? runs.at(-1);
    const [from, to] = parseMarbles(drawn);
    if (!run || !from) return;
    const span = { from: from.frame, length: run.length, marks: shifted(run.marks, from.frame) };
    const line = lines.find((spans) => spans.every((other) => other.from + other.length <= span.from));
    if (line) line.push(span);
    else lines.push([span]);
    if (to && to.frame < endOf(run, from.frame)) left.push(from, to);
  });
  return [
    { label, spans: lines[0] ?? [] },
    ...lines.slice(1).map((spans) => ({ label: '', spans })),
    ...(left.length > 0 ? [{ label: '', spans: [spanOf(left)] }] : []),
  ];
}

/** What was told to somebody, and below it when he came and left, where the spec says so. */
export function consumerRows({ label, subscription = '^' }: Lane, told: readonly Mark[]): readonly Row[] {
  const marks = parseMarbles(subscription);
  const frameOf = (wanted: string) => marks.find(({ symbol }) => symbol === wanted)?.frame;
  const from = frameOf('^') ?? 0;
  const until = Math.max((told.at(-1)?.frame ?? from) + 1, frameOf('!') ?? 0);
  const isAsUsual = from === 0 && frameOf('!') === undefined;
  return [
    { label, spans: [{ from, length: until - from, marks: told }] },
    ...(isAsUsual ? [] : [{ label: '', spans: [spanOf(marks)] }]),
  ];
}

/** What the user does, from the beginning on. */
export function marksRow({ label, runs }: Lane): Row {
  return { label, spans: [spanOf(runs.flatMap(({ marks }) => marks))] };
}

function spanOf(marks: readonly Mark[]): Span {
  return { from: 0, length: (marks.at(-1)?.frame ?? 0) + 1, marks };
}

function endOf({ marks, length }: Run, from: number): number {
  const last = marks.at(-1)?.symbol;
  return last === '|' || last === '#' ? from + length - 1 : Infinity;
}

function shifted(marks: readonly Mark[], by: number): readonly Mark[] {
  return marks.map(({ frame, symbol }) => ({ frame: frame + by, symbol }));
}
