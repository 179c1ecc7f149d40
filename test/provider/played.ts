import type { Observable, VirtualTimeScheduler } from 'rxjs';
import { settled } from './fake-server.ts';

export interface Played<T> {
  readonly values: readonly T[];
  readonly error: unknown;
}

/** Plays a source to its end whose time is virtual, though promises stand in its way. */
export async function played<T>(source: Observable<T>, scheduler: VirtualTimeScheduler): Promise<Played<T>> {
  const values: T[] = [];
  let failure: unknown;
  const running = source.subscribe({
    next: (value) => values.push(value),
    error: (error: unknown) => {
      failure = error;
    },
  });
  while (!running.closed) {
    await settled();
    scheduler.flush();
  }
  return { values, error: failure };
}
