import type { Tracer } from '@opentelemetry/api';
import type { AgentRuns } from './agent-runs.ts';
import type { ContentCapture } from './content-capture.ts';
import type { Instruments } from './instruments.ts';
import type { SpanClock } from './span-clock.ts';

/** What the parts of a tracing share. */
export interface Telemetry {
  readonly tracer: Tracer;
  readonly clock: SpanClock;
  readonly content: ContentCapture;
  readonly runs: AgentRuns;
  readonly timePerOutputChunk: boolean;
  /** Asked anew for each span: a provider may be registered at any time. */
  instruments(): Instruments | undefined;
}
