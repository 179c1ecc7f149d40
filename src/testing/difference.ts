import type { Mark } from './marbles.ts';
import { drawMarbles } from './marbles.ts';
import { matches, misfitOf } from './matches.ts';
import { shown } from './shown.ts';

/** What was recorded at a frame: how it is drawn, and what it was. */
export interface RecordedMark extends Mark {
  readonly value: unknown;
}

/** What a symbol of an expected diagram must be: a value of which at least this is so. */
export type Legend = Readonly<Record<string, unknown>>;

/** How much of a diagram is drawn on either side of the place where two part, in characters. */
const shownAround = 60;

/**
 * The message for a diagram that is not as expected: both under each other, where they part, and a legend of what is unlike.
 * `undefined` where they are alike.
 */
export function difference(
  actual: readonly RecordedMark[],
  expected: readonly Mark[],
  legend: Legend,
  hasEnded = true,
): string | undefined {
  // A symbol of the legend stands for whatever matches it, so the actual event is drawn as that symbol.
  const named = actual.map((mark, place) =>
    isMatched(mark, expected[place], legend) ? { ...mark, symbol: expected[place]!.symbol } : mark,
  );
  const isMissedAny = named.some((mark, place) => isMissed(mark, expected[place], legend));
  const [wanted, came] = [drawMarbles(expected), drawMarbles(named)];
  if (wanted === came && !isMissedAny) return undefined;
  const first = firstDifference(wanted, came);
  const from = first > 2 * shownAround ? first - shownAround : 0;
  const part = (drawing: string) => {
    const end = from + 3 * shownAround;
    return (from > 0 ? '…' : '') + drawing.slice(from, end) + (drawing.length > end ? '…' : '');
  };
  return [
    'The marbles differ:',
    `expected   ${part(wanted)}`,
    `actual     ${part(came)}`,
    ...(wanted === came ? [] : [`           ${' '.repeat(first - from + (from > 0 ? 1 : 0))}^`]),
    ...told(named, expected, legend),
    ...(hasEnded || named.length >= expected.length ? [] : [unended]),
  ].join('\n');
}

const unended =
  'The source has not ended. Does something in it await? Promises do not arrive in virtual time: let tools return Observables, or use recordMarbles.';

function isMatched({ value }: RecordedMark, expected: Mark | undefined, legend: Legend): boolean {
  return expected !== undefined && Object.hasOwn(legend, expected.symbol) && matches(value, legend[expected.symbol]);
}

/** A symbol that is drawn alike, but is not what the legend says of it. */
function isMissed(mark: RecordedMark, expected: Mark | undefined, legend: Legend): boolean {
  return Object.hasOwn(legend, mark.symbol) && expected?.symbol === mark.symbol && !isMatched(mark, expected, legend);
}

function firstDifference(one: string, other: string): number {
  const length = Math.max(one.length, other.length);
  return Array.from({ length }, (_, place) => place).find((place) => one[place] !== other[place]) ?? length;
}

/** What was expected and what came at the first frame at which they part, and where an event is not as the legend says. */
function told(actual: readonly RecordedMark[], expected: readonly Mark[], legend: Legend): readonly string[] {
  const place = actual.findIndex((mark, index) => {
    const wanted = expected[index];
    return wanted?.symbol !== mark.symbol || wanted.frame !== mark.frame || isMissed(mark, wanted, legend);
  });
  const [wanted, came] = place < 0 ? [expected[actual.length], undefined] : [expected[place], actual[place]];
  return [
    wanted ? `expected   ${wanted.symbol} at ${wanted.frame} ms${meaning(wanted.symbol, legend)}` : 'expected   nothing more',
    came
      ? `actual     ${came.symbol} at ${came.frame} ms${came.value === undefined ? '' : `: ${shown(came.value)}`}`
      : 'actual     nothing more',
    ...(wanted && came && wanted.frame === came.frame ? misfitLine(came.value, wanted.symbol, legend) : []),
  ];
}

function misfitLine(value: unknown, symbol: string, legend: Legend): readonly string[] {
  const misfit = Object.hasOwn(legend, symbol) ? misfitOf(value, legend[symbol]) : undefined;
  if (!misfit?.path) return [];
  return [`differs in ${misfit.path}: expected ${shown(misfit.expected)}, came ${shown(misfit.actual)}`];
}

function meaning(symbol: string, legend: Legend): string {
  return Object.hasOwn(legend, symbol) ? `, which is ${shown(legend[symbol])}` : '';
}
