import { asyncScheduler, type SchedulerLike } from 'rxjs';

/** So many ms of the library's go into one of the world: pauses, limits and retries of seconds must not take as long here. */
export const clockFactor = 20;

const start = Date.now();

/** A scheduler for which time runs faster. */
export const clock: SchedulerLike = {
  now: () => start + (Date.now() - start) * clockFactor,
  schedule: (work, delay = 0, state) => asyncScheduler.schedule(work as (state?: unknown) => void, delay / clockFactor, state),
};
