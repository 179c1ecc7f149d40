import { DiagLogLevel, context, diag, trace, type DiagLogger } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';

/** The SDK with its exporter to memory, and what can be said of the spans that went there. */
export function traced() {
  const exporter = new InMemorySpanExporter();
  const order: string[] = [];
  let open = 0;
  const counting: SpanProcessor = {
    onStart: (span) => {
      open++;
      order.push(span.spanContext().spanId);
    },
    onEnd: () => void open--,
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
  const provider = new BasicTracerProvider({ spanProcessors: [counting, new SimpleSpanProcessor(exporter)] });
  const placeOf = (span: ReadableSpan) => order.indexOf(span.spanContext().spanId);
  /** In the order in which they began. */
  const spans = () => exporter.getFinishedSpans().toSorted((one, other) => placeOf(one) - placeOf(other));
  const childrenOf = (id: string | undefined) => spans().filter(({ parentSpanContext }) => parentSpanContext?.spanId === id);
  const drawn = (span: ReadableSpan, indent = ''): string[] => [
    `${indent}${span.name}`,
    ...childrenOf(span.spanContext().spanId).flatMap((child) => drawn(child, `${indent}  `)),
  ];
  return {
    provider,
    tracer: provider.getTracer('test'),
    spans,
    /** How many have begun and not ended. */
    open: () => open,
    named: (name: string) => spans().filter((span) => span.name === name),
    one: (name: string) => {
      const found = spans().filter((span) => span.name === name);
      if (found.length !== 1)
        throw new Error(
          `There are ${found.length} spans ${name} among ${spans()
            .map((span) => span.name)
            .join()}.`,
        );
      return found[0]!;
    },
    /** Each span below and right of its parent. */
    tree: () => childrenOf(undefined).flatMap((root) => drawn(root)),
  };
}

/** Registers a context manager, as an SDK for Node does; what it returns takes it away again. */
export function keepingContext(): () => void {
  const manager = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(manager);
  return () => {
    context.disable();
    trace.disable();
    diag.disable();
  };
}

/** What the SDK complains of, such as a span that ends twice. */
export function complaints(): readonly string[] {
  const told: string[] = [];
  const tell = (...words: unknown[]) => void told.push(words.map(String).join(' '));
  const logger: DiagLogger = { error: tell, warn: tell, info: () => undefined, debug: () => undefined, verbose: () => undefined };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  return told;
}

/** ms from a moment of virtual time, which began at 0. */
export const ms = ([seconds, nanoseconds]: readonly [number, number]): number => seconds * 1000 + nanoseconds / 1e6;
