/** The items that score at least `least`, the best first and equals as they came, at most `max` of them. */
export function bestOf<T>(
  items: readonly T[],
  scoreOf: (item: T, place: number) => number,
  { least, max }: { readonly least: number; readonly max: number },
): readonly T[] {
  return items
    .map((item, place) => ({ item, score: scoreOf(item, place) }))
    .filter(({ score }) => score >= least)
    .sort((one, other) => other.score - one.score)
    .slice(0, max)
    .map(({ item }) => item);
}
