import { trace } from '@opentelemetry/api';
import type { AiServiceListener } from '../event/event-hub.ts';
import { captureAsyncContext } from '../memory/async-local.ts';
import type { ModelInterceptor } from '../service/options.ts';
import type { ToolInterceptor } from '../tool/types.ts';
import { agentListener } from './agent-listener.ts';
import { agentRuns } from './agent-runs.ts';
import { chatInterceptor } from './chat-interceptor.ts';
import { contentCapture } from './content-capture.ts';
import { guard } from './guard.ts';
import { instrumentsOf } from './instruments.ts';
import { spanClock } from './span-clock.ts';
import { spanStarter } from './start-span.ts';
import type { Telemetry } from './telemetry.ts';
import { toolInterceptor } from './tool-interceptor.ts';
import { checkTracingOptions, type TracingOptions } from './tracing-options.ts';

/** Options for a service. All of them belong together. */
export interface Tracing {
  readonly interceptors: { readonly model: readonly ModelInterceptor[]; readonly tool: readonly ToolInterceptor[] };
  readonly listeners: readonly AiServiceListener[];
  /** Runs all work of an invocation inside of its span: retrieval, guardrails, memory and callbacks, too. */
  readonly captureContext: () => (work: () => void) => void;
}

/**
 * Options that make a service tell OpenTelemetry what it does: a span for each invocation, and inside of it one for each request
 * to the model and each execution of a tool; and how long they took, as metrics. For a service with interceptors, listeners or
 * a `captureContext` of its own there is `withTracing`. Throws a `ConfigurationError` when the options can't work.
 *
 * @example
 * const assistant = aiService({ model, tools: [weather], ...tracing() });
 */
export function tracing(options: TracingOptions = {}): Tracing {
  checkTracingOptions('tracing', options);
  return tracingAround(options, captureAsyncContext);
}

/** Of services that are traced: to trace one twice would double its spans. */
export const traced = new WeakSet<Tracing['captureContext']>();

/** @param captureContext - How the async context is kept beside that of OpenTelemetry. */
export function tracingAround(options: TracingOptions, captureContext: Tracing['captureContext']): Tracing {
  const runs = agentRuns(captureContext);
  const guarded = guard();
  const telemetry: Telemetry = {
    guard: guarded,
    startSpan: spanStarter(options.tracer ?? trace.getTracer('toolstream'), guarded),
    clock: spanClock(options.scheduler),
    content: contentCapture(options.captureContent, guarded),
    runs,
    timePerOutputChunk: options.timePerOutputChunk ?? false,
    instruments: () => guarded(() => instrumentsOf(options.meter)),
  };
  traced.add(runs.captureContext);
  return {
    interceptors: { model: [chatInterceptor(telemetry)], tool: [toolInterceptor(telemetry)] },
    listeners: [agentListener(telemetry)],
    captureContext: runs.captureContext,
  };
}
