import { VirtualTimeScheduler } from 'rxjs';

/** Time that passes when it is told to. */
export function virtualClock() {
  const scheduler = new VirtualTimeScheduler();
  scheduler.maxFrames = 0;
  return {
    scheduler,
    /** Lets ms pass. */
    advance(duration: number): void {
      const end = scheduler.now() + duration;
      scheduler.schedule(() => undefined, duration);
      scheduler.maxFrames = end;
      scheduler.flush();
    },
  };
}
