import { INVALID_SPAN_CONTEXT, trace, type Context, type Span, type SpanOptions, type Tracer } from '@opentelemetry/api';
import type { Guard } from './guard.ts';

export type StartSpan = (name: string, options: SpanOptions, outside: Context) => Span;

/** Starts spans of a tracer, and one that records nothing where the tracer throws or gives none. */
export function spanStarter(tracer: Tracer, guard: Guard): StartSpan {
  return (name, options, outside) => {
    const span = guard(() => {
      const started = tracer.startSpan(name, options, outside);
      // Whatever is done in it asks for this.
      started.spanContext();
      return started;
    });
    return span ?? trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
  };
}
