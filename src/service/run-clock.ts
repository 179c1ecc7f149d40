import type { SchedulerLike, Subscription } from 'rxjs';
import { longestTimer } from '../chat/longest-timer.ts';

/** Tells when an invocation has taken its time. It stands still while somebody is asked for an approval. */
export interface RunClock {
  isExpired(): boolean;
  /** Calls back at once or when the time is up; returns how to take that back. */
  onExpiry(callback: () => void): () => void;
  /** Stands still until what it returns is called. */
  pause(): () => void;
  /** Runs from now on; what it returns ends it. */
  start(): () => void;
}

/** @param duration - ms */
export function runClock(duration: number, scheduler: SchedulerLike): RunClock {
  const callbacks = new Set<() => void>();
  let left = duration;
  let since = 0;
  let pauses = 0;
  let isExpired = false;
  let isRunning = false;
  let timer: Subscription | undefined;

  const expire = () => {
    isExpired = true;
    for (const callback of [...callbacks]) callback();
  };
  const run = () => {
    since = scheduler.now();
    if (isRunning && pauses === 0 && !isExpired && left <= longestTimer) timer = scheduler.schedule(expire, left);
  };
  const stand = () => {
    if (pauses === 0) left = Math.max(0, left - (scheduler.now() - since));
    timer?.unsubscribe();
  };
  return {
    isExpired: () => isExpired,
    onExpiry(callback) {
      callbacks.add(callback);
      if (isExpired) callback();
      return () => void callbacks.delete(callback);
    },
    pause() {
      stand();
      pauses++;
      let isPaused = true;
      return () => {
        if (!isPaused) return;
        isPaused = false;
        pauses--;
        run();
      };
    },
    start() {
      isRunning = true;
      left = duration;
      isExpired = false;
      run();
      return () => {
        isRunning = false;
        timer?.unsubscribe();
      };
    },
  };
}
