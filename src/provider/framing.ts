import type { OperatorFunction } from 'rxjs';
import type { WireEvent } from './wire-events.ts';

/** How the events of a stream are told apart, be it server-sent events or lines of JSON. */
export interface Framing {
  /** The media type, for the request. */
  readonly accept: string;
  events(options: FramingOptions): OperatorFunction<string, WireEvent>;
}

/** What a framing needs to know. */
export interface FramingOptions {
  /** How long one event may be, in characters. */
  readonly maxEventSize: number;
  /** The error for an event that is longer. */
  readonly tooLarge: () => Error;
  /** The error for a body that ended without one event; it is given how the body begins. */
  readonly noEvent: (head: string) => Error;
}

/** How much of a body that is no event stream is shown in the error, in characters. */
export const shownLength = 4096;
