import type { Timeline } from '../timeline.ts';

/** The time of the last thing, and more than 0, so that it can be divided by. */
export function spanOf({ duration, end, rounds, calls, failures, retrieval }: Timeline): number {
  let last = Math.max(duration, end ?? 0, retrieval?.at ?? 0);
  const see = (at: number | undefined) => {
    if (at !== undefined && at > last) last = at;
  };
  for (const { at } of failures) see(at);
  for (const { start, end: roundEnd, answered, segments, retries } of rounds) {
    for (const at of [start, roundEnd, answered]) see(at);
    for (const segment of segments) see(segment.end);
    for (const { at } of retries) see(at);
  }
  for (const call of calls) {
    for (const at of [call.written.start, call.written.end, call.start, call.end, call.compensation?.at]) see(at);
  }
  return last > 0 ? last : 1;
}
