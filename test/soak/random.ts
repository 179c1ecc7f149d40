/** Numbers that look random and are the same for the same keys, on every machine. */
export interface Random {
  /** From 0 up to, but not including, 1. */
  next(): number;
  /** A whole number; both ends are included. */
  between(least: number, most: number): number;
  /** True in this share of all cases. */
  chance(share: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Like `pick`, where each item says how often it is to come. */
  weighted<T extends { readonly weight: number }>(items: readonly T[]): T;
}

/** A source of its own for each list of keys: what one consumer takes changes nothing for the others. */
export function randomOf(...keys: readonly (number | string)[]): Random {
  let state = hashOf(keys.join('/'));
  const next = () => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    between,
    chance: (share) => next() < share,
    pick: (items) => items[between(0, items.length - 1)]!,
    weighted(items) {
      let left = next() * items.reduce((sum, { weight }) => sum + weight, 0);
      return items.find(({ weight }) => (left -= weight) < 0) ?? items.at(-1)!;
    },
  };
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let place = 0; place < text.length; place++) hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193);
  return hash;
}
