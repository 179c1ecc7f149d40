import type { TimelineCall } from '../timeline.ts';

/** The calls that get a lane of their own: all, or those first that went another way than well, and of the others the first. */
export function shownCalls(
  calls: readonly TimelineCall[],
  most: number,
): { readonly shown: readonly TimelineCall[]; readonly hidden: readonly TimelineCall[] } {
  if (calls.length <= most) return { shown: calls, hidden: [] };
  // One lane is that of all the others.
  const room = Math.max(0, most - 1);
  const isOdd = (call: TimelineCall) => call.outcome !== 'ok' || call.compensation !== undefined;
  const odd = calls.filter(isOdd).slice(0, Math.ceil(room / 2));
  const kept = new Set(odd);
  for (const call of calls) {
    if (kept.size >= room) break;
    kept.add(call);
  }
  return { shown: calls.filter((call) => kept.has(call)), hidden: calls.filter((call) => !kept.has(call)) };
}
