import { metrics, trace } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Observable, type Subscriber } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import type { ChatModel, ChatModelEvent } from '../../src/chat/chat-model.ts';
import { tracing } from '../../src/otel/tracing.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { toolScheduler } from '../../src/testing/tool-scheduler.ts';
import { lastOf } from '../provider/last-of.ts';
import { modelNamed } from './played.ts';
import { traced } from './traced.ts';

const registered = () => {
  trace.disable();
  metrics.disable();
};
afterEach(registered);

const src = fileURLToPath(new URL('../../src/', import.meta.url));

describe('without an SDK', () => {
  it('an invocation is what it is without tracing', async () => {
    const make = (options: object) =>
      aiService({
        model: modelNamed('m', [['A', { call: 'a' }], ['z']]),
        tools: [scriptedTool('a', '(r|)')],
        scheduler: toolScheduler(),
        ...options,
      });
    const [plain, traces] = await Promise.all([{}, tracing()].map((options) => lastOf(make(options).result('Go'))));
    expect(traces!.content).toBe('z');
    expect(traces!.toolExecutions.map(({ result }) => result)).toEqual(plain!.toolExecutions.map(({ result }) => result));
  });

  it('what a model says goes to the service itself: nothing stands in between', () => {
    const asked: Subscriber<ChatModelEvent>[] = [];
    const model: ChatModel = { provider: 'p', chat: () => new Observable((subscriber) => void asked.push(subscriber)) };
    const [interceptor] = tracing().interceptors.model;
    const subscriber = new Observable<ChatModelEvent>((inner) => {
      const answer$ = interceptor!(
        { messages: [] },
        { parameters: new Map() } as never,
        () => model.chat({ messages: [] }),
        model,
      );
      answer$.subscribe(inner);
      expect(asked).toEqual([inner]);
    }).subscribe();
    subscriber.unsubscribe();
    expect(asked).toHaveLength(1);
  });

  it('nothing but this subpath knows of OpenTelemetry', () => {
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
    const knowing = files.filter((path) => readFileSync(join(src, path), 'utf8').includes('@opentelemetry'));
    expect(knowing.length).toBeGreaterThan(0);
    expect(knowing.filter((path) => !path.startsWith('otel'))).toEqual([]);
  });
});

describe('an SDK that is registered later', () => {
  it('gets the spans and metrics from then on', async () => {
    const service = aiService({ model: modelNamed('m', [['y'], ['z']]), ...tracing() });
    await lastOf(service.result('Go'));
    const spans = traced();
    trace.setGlobalTracerProvider(spans.provider);
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 1e6 });
    const provider = new MeterProvider({ readers: [reader] });
    metrics.setGlobalMeterProvider(provider);
    await lastOf(service.result('Go'));
    await provider.forceFlush();
    await provider.shutdown();
    expect(spans.tree()).toEqual(['invoke_agent', '  chat m']);
    const names = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.map(({ metrics }) => metrics.length));
    expect(names[0]).toBe(3);
  });
});
