import { tickText } from './duration-text.ts';

export interface Tick {
  readonly at: number;
  readonly label: string;
}

/** Steps in ms that people can count in. */
const steps = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 9e5, 18e5, 36e5, 72e5, 108e5, 216e5,
  432e5,
];

/** The points of an axis from 0 to `span`, evenly apart: at most `most` behind the first. */
export function ticksOf(span: number, most: number): readonly Tick[] {
  const least = span / Math.max(1, most);
  let step = steps.find((known) => known >= least) ?? 864e5;
  while (step < least) step *= 2;
  return Array.from({ length: Math.floor(span / step) + 1 }, (_, place) => ({ at: place * step, label: tickText(place * step) }));
}
