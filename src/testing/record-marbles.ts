import type { Observable } from 'rxjs';
import { recorder, type Recording } from './recording.ts';
import type { Legend } from './difference.ts';

/** What is needed of the runner's fake timers: vitest's `vi` and jest's `jest` have it. */
export interface FakeTimers {
  advanceTimersByTimeAsync(ms: number): Promise<unknown>;
}

export interface RecordMarblesOptions<T> {
  /** The fake timers, which must be on: `vi` after `vi.useFakeTimers()`, `jest` after `jest.useFakeTimers()`. */
  readonly timers: FakeTimers;
  /** How a value is drawn: by default as its text. `eventSymbol` draws the events of an invocation. */
  readonly symbol?: ((value: T) => string) | undefined;
  /** ms after which a source that has not ended is given up: 10,000 by default. */
  readonly limit?: number | undefined;
}

export interface RecordedMarbles<T> extends Recording<T> {
  /** Throws where the diagram is not as expected, and draws both. */
  toBe(marbles: string, legend?: Legend): void;
}

/**
 * Records a source in which promises are at work, ms by ms, on the fake timers of the test runner: promise tools and models
 * get a place in a diagram too. Rejects when the source does not end within the limit.
 *
 * @example
 * vi.useFakeTimers();
 * (await recordMarbles(service.text('Go'), { timers: vi })).toBe('-t-z|');
 */
export async function recordMarbles<T>(
  source: Observable<T>,
  { timers, symbol = String, limit = 10_000 }: RecordMarblesOptions<T>,
): Promise<RecordedMarbles<T>> {
  let frame = 0;
  const recording = recorder(symbol, () => frame);
  const running = recording.subscribe(source);
  // What waits for promises only happens within the frame.
  await timers.advanceTimersByTimeAsync(0);
  while (!running.closed && frame < limit) {
    frame++;
    await timers.advanceTimersByTimeAsync(1);
  }
  if (!running.closed) {
    running.unsubscribe();
    throw new Error(`The source has not ended after ${limit} ms; so far it did: ${recording.drawing()}`);
  }
  return Object.assign(recording, { toBe: recording.compare });
}
