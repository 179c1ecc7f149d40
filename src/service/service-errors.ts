import type { LimitName } from './limits.ts';
import type { Result } from './result.ts';

/** An invocation has used up what `limits` allows it. */
export class LimitExceededError extends Error {
  override readonly name: string = 'LimitExceededError';
  /** What was hit. */
  readonly limit: LimitName;

  constructor(message: string, { limit, cause }: { limit: LimitName; cause?: unknown }) {
    super(message, cause === undefined ? undefined : { cause });
    this.limit = limit;
  }
}

/** The model asked for tools more often than `maxToolCallingRoundTrips` allows. */
export class ToolRoundTripsExceededError extends LimitExceededError {
  override readonly name = 'ToolRoundTripsExceededError';

  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, { ...options, limit: 'maxToolCallingRoundTrips' });
  }
}

/** A call needed an approval that nobody was there to give. */
export class ApprovalRequiredError extends Error {
  override readonly name = 'ApprovalRequiredError';
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
