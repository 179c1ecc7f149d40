import type { CassetteExchange } from './cassette.ts';

/** What the tape has for a request; places are counted from 0. */
export type Picked =
  | { readonly found: number }
  /** Its answer is on the tape, but behind one that was asked for alone, and has not been asked for yet. */
  | { readonly outOfTurn: number; readonly before: number }
  /** None is the same; these are left. */
  | { readonly left: readonly number[] };

/** Gives out the exchanges of a tape, each once. */
export interface ExchangePicker {
  pick(isSame: (exchange: CassetteExchange) => boolean): Picked;
  left(): readonly number[];
}

/**
 * Exchanges come in the order in which they were recorded. Only of those that ran beside others the first comes that is the
 * same question, since which of them is asked first is a matter of time.
 */
export function exchangePicker(exchanges: readonly CassetteExchange[]): ExchangePicker {
  const left = new Set(exchanges.keys());
  const neighbours = new Set(exchanges.flatMap(({ beside = [] }, place) => (beside.length > 0 ? [place, ...beside] : [])));
  return {
    left: () => [...left],
    pick(isSame) {
      const same = [...left].find((place) => isSame(exchanges[place]!));
      if (same === undefined) return { left: [...left] };
      const before = [...left].find((place) => place < same && !neighbours.has(place));
      if (before !== undefined) return { outOfTurn: same, before };
      left.delete(same);
      return { found: same };
    },
  };
}
