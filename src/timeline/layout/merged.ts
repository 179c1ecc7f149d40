import type { Bar, Mark } from './layout.ts';

/** More than a drawing has room for. */
const resolution = 1000;

/** Neighbours of one kind that no drawing can tell apart are one: a drawing does not grow without end. */
export function mergedBars(bars: readonly Bar[], span: number): readonly Bar[] {
  if (bars.length <= resolution) return bars;
  const merged: Bar[] = [];
  const lastOf = new Map<Bar['kind'], number>();
  for (const bar of bars) {
    const place = lastOf.get(bar.kind);
    const last = place === undefined ? undefined : merged[place];
    if (last && bar.start <= last.end + span / resolution) {
      merged[place!] = { ...last, end: Math.max(last.end, bar.end) };
      continue;
    }
    lastOf.set(bar.kind, merged.length);
    merged.push(bar);
  }
  return merged;
}

/** One mark of a kind in each moment that a drawing can show. */
export function mergedMarks(marks: readonly Mark[], span: number): readonly Mark[] {
  if (marks.length <= resolution) return marks;
  const seen = new Set<string>();
  return marks.filter(({ kind, at }) => {
    const key = `${kind} ${Math.floor((at / span) * resolution)}`;
    return !seen.has(key) && seen.add(key);
  });
}
