import { jsonText } from '../chat/json-safe.ts';
import type { Mark } from './marbles.ts';
import { drawMarbles } from './marbles.ts';
import { matches } from './matches.ts';

/** What was recorded at a frame: how it is drawn, and what it was. */
export interface RecordedMark extends Mark {
  readonly value: unknown;
}

/** What a symbol of an expected diagram must be: a value of which at least this is so. */
export type Legend = Readonly<Record<string, unknown>>;

const longestValue = 300;

/**
 * The message for a diagram that is not as expected: both under each other, where they part, and a legend of what is unlike.
 * `undefined` where they are alike.
 */
export function difference(actual: readonly RecordedMark[], expected: readonly Mark[], legend: Legend): string | undefined {
  // A symbol of the legend stands for whatever matches it, so the actual event is drawn as that symbol.
  const named = actual.map((mark, place) =>
    isMatched(mark, expected[place], legend) ? { ...mark, symbol: expected[place]!.symbol } : mark,
  );
  const unmatched = named.filter((mark, place) => isMissed(mark, expected[place], legend));
  const [wanted, came] = [drawMarbles(expected), drawMarbles(named)];
  if (wanted === came && unmatched.length === 0) return undefined;
  const first = firstDifference(wanted, came);
  return [
    'The marbles differ:',
    `expected   ${wanted}`,
    `actual     ${came}`,
    ...(wanted === came ? [] : [`           ${' '.repeat(first)}^`]),
    ...told(named, expected, legend),
  ].join('\n');
}

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

/** What was expected and what came at the first frame at which they part, and all that is behind the legend's symbols. */
function told(actual: readonly RecordedMark[], expected: readonly Mark[], legend: Legend): readonly string[] {
  const place = actual.findIndex((mark, index) => {
    const wanted = expected[index];
    return wanted?.symbol !== mark.symbol || wanted.frame !== mark.frame || isMissed(mark, wanted, legend);
  });
  const [wanted, came] = place < 0 ? [expected[actual.length], undefined] : [expected[place], actual[place]];
  return [
    ...(wanted
      ? [`expected   ${wanted.symbol} at ${wanted.frame} ms${meaning(wanted.symbol, legend)}`]
      : ['expected   nothing more']),
    ...(came ? [`actual     ${came.symbol} at ${came.frame} ms: ${shown(came.value)}`] : ['actual     nothing more']),
  ];
}

function meaning(symbol: string, legend: Legend): string {
  return Object.hasOwn(legend, symbol) ? `, which is ${shown(legend[symbol])}` : '';
}

function shown(value: unknown): string {
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  // What all events of an invocation have says nothing of this one.
  const hasInvocation = typeof value === 'object' && value !== null && 'invocation' in value;
  const text = jsonText(hasInvocation ? { ...value, invocation: undefined } : value);
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}
