import type { Result } from './result.ts';

/** The model asked for tools more often than `maxToolCallingRoundTrips` allows. */
export class ToolRoundTripsExceededError extends Error {
  override readonly name = 'ToolRoundTripsExceededError';
}

/** The invocation was ended from outside, by a signal or `cancel`. Its name is the platform's for that: `AbortError`. */
export class InvocationCancelledError extends Error {
  override readonly name = 'AbortError';
  /** What had been gathered by then. */
  readonly partial: Partial<Result<unknown>>;

  constructor(message: string, { cause, partial = {} }: { cause?: unknown; partial?: Partial<Result<unknown>> } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.partial = partial;
  }
}
