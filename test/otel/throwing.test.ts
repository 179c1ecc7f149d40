import { trace, type Histogram, type Meter, type Span, type Tracer } from '@opentelemetry/api';
import 'node:process';
import { asyncScheduler } from 'rxjs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tracing } from '../../src/otel/tracing.ts';
import type { TracingOptions } from '../../src/otel/tracing-options.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { modelNamed, silent } from './played.ts';
import { complaints, keepingContext, traced } from './traced.ts';

let release: () => void;
let complained: readonly string[];
beforeAll(() => {
  release = keepingContext();
});
beforeEach(() => {
  complained = complaints();
});
afterAll(() => release());

/** The same, but with a method that throws. */
const broken = <T extends object>(whole: T, method: string): T =>
  new Proxy(whole, {
    get(target, key) {
      if (key === method)
        return () => {
          throw new Error(`${method} is broken`);
        };
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });

const starting = (tracer: Tracer, change: (span: Span) => Span): Tracer => ({
  ...tracer,
  startSpan: (...args) => change(tracer.startSpan(...args)),
});

const meter = (record: Histogram['record']): Meter => ({ createHistogram: () => ({ record }) }) as unknown as Meter;

const endings = { well: ['-t-A|', '--z|'], badly: ['-t-A|', '--#'], 'with a failing tool': ['-B|', 'z|'] } as const;

/** What a user sees of an invocation, frame by frame. */
function seen(answers: readonly string[], options: TracingOptions | undefined): unknown {
  const frames: unknown[] = [];
  runMarbles((kit) => {
    const service = aiService({
      logger: silent,
      idGenerator: kit.ids,
      model: modelNamed('m', answers),
      tools: [kit.tool('a', '--r|'), kit.tool('b', '-#')],
      ...(options && tracing({ scheduler: asyncScheduler, timePerOutputChunk: true, captureContent: true, ...options })),
    });
    service.stream('Go').subscribe({
      next: ({ type }) => frames.push([asyncScheduler.now(), type]),
      error: (thrown: unknown) => frames.push([asyncScheduler.now(), String(thrown)]),
      complete: () => frames.push([asyncScheduler.now(), 'complete']),
    });
  });
  return frames;
}

describe.each(Object.entries(endings))('an invocation that ends %s does so as without tracing', (_, answers) => {
  const spanMethods = [
    'end',
    'setAttributes',
    'setAttribute',
    'recordException',
    'setStatus',
    'isRecording',
    'spanContext',
    'addEvent',
  ];

  it.each(spanMethods)('if %s of a span throws, which is told once', (method) => {
    const spans = traced();
    const tracer = starting(spans.tracer, (span) => broken(span, method));
    expect(seen(answers, { tracer, meter: meter(() => undefined) })).toEqual(seen(answers, undefined));
    expect(complained.filter((words) => !words.includes(`${method} is broken`))).toEqual([]);
    expect(complained.length).toBeLessThanOrEqual(1);
    if (!['end', 'spanContext'].includes(method)) expect(spans.open()).toBe(0);
  });

  it('if no span can be started', () => {
    const thrown = broken(traced().tracer, 'startSpan');
    expect(seen(answers, { tracer: thrown })).toEqual(seen(answers, undefined));
    expect(complained).toEqual(['toolstream: telemetry is left out where it throws: startSpan is broken']);
    const none = { startSpan: () => undefined } as unknown as Tracer;
    expect(seen(answers, { tracer: none })).toEqual(seen(answers, undefined));
  });

  it('if nothing can be measured', () => {
    const recordless = meter(() => {
      throw new Error('record is broken');
    });
    for (const of of [
      recordless,
      broken(
        meter(() => undefined),
        'createHistogram',
      ),
    ]) {
      for (const tracer of [
        traced().tracer,
        { startSpan: () => trace.wrapSpanContext(traced().tracer.startSpan('x').spanContext()) },
      ])
        expect(seen(answers, { tracer: tracer as Tracer, meter: of })).toEqual(seen(answers, undefined));
    }
    expect(complained.every((words) => /(record|createHistogram) is broken$/.test(words))).toBe(true);
  });

  it('if the logger throws too', () => {
    const spans = traced();
    const tracer = starting(spans.tracer, (span) => broken(span, 'setAttribute'));
    (complained as string[]).push = () => {
      throw new Error('no log');
    };
    expect(seen(answers, { tracer })).toEqual(seen(answers, undefined));
  });
});
