import type { HrTime } from '@opentelemetry/api';
import type { TimestampProvider } from 'rxjs';

export interface SpanClock {
  /** ms, to tell durations from. */
  now(): number;
  /** A moment as spans take it; absent where their own clock is as good. */
  at(now: number): HrTime | undefined;
}

/** Seconds and nanoseconds: as a plain number, a moment of virtual time would pass for one since the process began. */
const hrTime = (ms: number): HrTime => {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
};

export function spanClock(scheduler: TimestampProvider | undefined): SpanClock {
  if (scheduler) return { now: () => scheduler.now(), at: hrTime };
  return { now: () => performance.now(), at: () => undefined };
}
