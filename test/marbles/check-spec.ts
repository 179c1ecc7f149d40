import { compareLines } from '../../src/testing/compare-lines.ts';
import { matches } from '../../src/testing/matches.ts';
import { jsonText } from '../../src/chat/json-safe.ts';
import { playSpec, type Played } from './play-spec.ts';
import { linesOf } from './read-diagram.ts';
import type { Spec } from './spec.ts';

/** Runs a spec, and throws where something went another way: with what is expected and what came under each other. */
export function checkSpec(spec: Spec): void {
  const played = playSpec(spec);
  compareLines(`diagram of "${spec.title}"`, played.diagram, linesOf(spec.diagram));
  compareLines('memory', played.memory, spec.memory);
  if (spec.offers) compareLines('offers', played.offers, spec.offers);
  compareLines('failures', failuresOf(played), spec.fails === undefined ? [] : [spec.fails]);
  for (const [symbol, expected] of Object.entries(spec.where ?? {})) checkValues(symbol, played.values.get(symbol), expected);
}

/** Several lanes fail by one error. */
function failuresOf({ errors }: Played): readonly string[] {
  return [...new Set(errors.map((error) => (error instanceof Error ? `${error.name}: ${error.message}` : jsonText(error))))];
}

function checkValues(symbol: string, actual: readonly unknown[] = [], expected: unknown): void {
  const list: readonly unknown[] = Array.isArray(expected) ? expected : actual.map(() => expected);
  const areAll = actual.length === list.length && actual.every((value, place) => matches(value, list[place]));
  if (actual.length === 0 || !areAll)
    throw new Error([`${symbol} is not as expected:`, `expected ${jsonText(list)}`, `actual   ${jsonText(actual)}`].join('\n'));
}
