import type { AgentRuns } from './agent-runs.ts';
import type { ContentCapture } from './content-capture.ts';
import type { Guard } from './guard.ts';
import type { Instruments } from './instruments.ts';
import type { SpanClock } from './span-clock.ts';
import type { StartSpan } from './start-span.ts';

/** What the parts of a tracing share. */
export interface Telemetry {
  /** Round every touch of a span or an instrument: what they throw is nothing to the invocation. */
  readonly guard: Guard;
  readonly startSpan: StartSpan;
  readonly clock: SpanClock;
  readonly content: ContentCapture;
  readonly runs: AgentRuns;
  readonly timePerOutputChunk: boolean;
  /** Asked anew for each span: a provider may be registered at any time. */
  instruments(): Instruments | undefined;
}
