import type { Timeline, TimelineCall } from '../timeline.ts';
import { callLane } from './call-lane.ts';
import type { Bar, Lane } from './layout.ts';

/** The calls that have no lane of their own, in one: when any of them ran, and what came of them. */
export function restLane(calls: readonly TimelineCall[], timeline: Timeline, span: number): Lane {
  const ran = calls
    .flatMap((call) => callLane(call, timeline, span).bars)
    .filter(({ kind }) => kind !== 'waiting' && kind !== 'standing' && kind !== 'approval')
    .sort((one, other) => one.start - other.start);
  const bars: Bar[] = [];
  for (const { start, end } of ran) {
    const last = bars.at(-1);
    if (last && start <= last.end) bars[bars.length - 1] = { ...last, end: Math.max(last.end, end) };
    else bars.push({ kind: 'running', start, end });
  }
  const counts = new Map<string, number>();
  for (const { outcome } of calls) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const note = [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
  return { label: `+ ${calls.length} more`, bars, marks: [], note, detail: '', tip: `${calls.length} more calls: ${note}` };
}
