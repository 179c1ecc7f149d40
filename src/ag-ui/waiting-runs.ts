import type { SchedulerLike, Subscription } from 'rxjs';
import { longestTimer } from '../chat/longest-timer.ts';
import type { LiveRun } from './live-run.ts';

/** Invocations that wait for a person: not too many, and not too long. What is given up is cancelled. */
export interface WaitingRuns {
  add(threadId: string, live: LiveRun): void;
  /** They wait no longer, and are not given up. */
  remove(live: LiveRun): void;
  ofThread(threadId: string): readonly LiveRun[];
  /** Gives all of them up. */
  clear(): void;
}

export function waitingRuns(maxWaiting: number, waitingTime: number, scheduler: SchedulerLike): WaitingRuns {
  /** The oldest first. */
  const waiting = new Map<LiveRun, { readonly threadId: string; readonly timer: Subscription | undefined }>();
  const remove = (live: LiveRun) => {
    waiting.get(live)?.timer?.unsubscribe();
    waiting.delete(live);
  };
  const giveUp = (live: LiveRun, why: string) => {
    remove(live);
    live.cancel(`Nobody has answered whether a tool may be called: ${why}.`);
  };
  return {
    add(threadId, live) {
      const [oldest] = waiting.keys();
      if (oldest && waiting.size >= maxWaiting) giveUp(oldest, 'too many others wait');
      const timer =
        waitingTime <= longestTimer ? scheduler.schedule(() => giveUp(live, 'its time is up'), waitingTime) : undefined;
      waiting.set(live, { threadId, timer });
    },
    remove,
    ofThread: (threadId) => [...waiting].flatMap(([live, place]) => (place.threadId === threadId ? [live] : [])),
    clear() {
      for (const live of [...waiting.keys()]) giveUp(live, 'the server is shut down');
    },
  };
}
