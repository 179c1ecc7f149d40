/** Longer names are compared by their beginning: what an edit costs grows with the product of both lengths. */
const maxLength = 64;

/**
 * The name that was probably meant: the same letters and digits in another spelling (`getWeather` for `get_weather`), or at
 * most a third of them wrong. `undefined` when none is near.
 */
export function closestName(name: string, names: readonly string[]): string | undefined {
  const wanted = plain(name);
  let closest: string | undefined;
  let least = Math.floor(wanted.length / 3) + 1;
  for (const candidate of names) {
    const edits = distance(wanted, plain(candidate), least);
    if (edits < least) {
      closest = candidate;
      least = edits;
    }
  }
  return closest;
}

function plain(name: string): string {
  return name
    .slice(0, maxLength)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** How many letters must be put in, taken out or changed to get from one text to the other; at most `limit`. */
function distance(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) >= limit) return limit;
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const changed = above[column - 1]! + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(changed, above[column]! + 1, current[column - 1]! + 1));
    }
    above = current;
  }
  return Math.min(above[to.length]!, limit);
}
