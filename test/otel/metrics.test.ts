import { trace } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChatModelError } from '../../src/chat/chat-model-error.ts';
import type { TracingOptions } from '../../src/otel/tracing-options.ts';
import type { AiServiceOptions, InvocationOptions } from '../../src/service/options.ts';
import type { MarbleKit } from '../../src/testing/run-marbles.ts';
import { modelNamed, played } from './played.ts';
import { keepingContext } from './traced.ts';

let release: () => void;
beforeAll(() => {
  release = keepingContext();
});
afterAll(() => release());

interface Measured {
  readonly unit: string;
  readonly boundaries: readonly number[];
  readonly points: readonly { readonly attributes: unknown; readonly count: number; readonly sum: number }[];
}

/** What was measured while one invocation was played, by the name of the metric. */
async function measured(
  make: (kit: MarbleKit) => AiServiceOptions,
  options: TracingOptions = {},
  invocation: InvocationOptions = {},
  subscription = '^',
): Promise<Readonly<Record<string, Measured>>> {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 1e6 });
  const provider = new MeterProvider({ readers: [reader] });
  played(make, { meter: provider.getMeter('test'), ...options }, invocation, subscription);
  await reader.forceFlush();
  const found = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics));
  await provider.shutdown();
  return Object.fromEntries(
    found.map(({ descriptor: { name, unit }, dataPoints }) => [
      name,
      {
        unit,
        boundaries: (dataPoints[0]!.value as { buckets: { boundaries: readonly number[] } }).buckets.boundaries,
        points: dataPoints.map(({ attributes, value }) => {
          const { count, sum } = value as { count: number; sum: number };
          return { attributes, count, sum: Math.round(sum * 1e6) / 1e6 };
        }),
      },
    ]),
  );
}

const answer = { marbles: '--z-z--z|', response: { modelName: 'm-1' } };
const common = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'scripted', 'gen_ai.request.model': 'm' };

describe('the metrics of an invocation', () => {
  it('are how long it, its requests and its tools took, and how long the first piece of an answer did', async () => {
    const metrics = await measured(({ tool }) => ({
      name: 's',
      model: modelNamed('m', ['-A|', answer]),
      tools: [tool('a', '---r|')],
    }));
    expect(Object.keys(metrics).toSorted()).toEqual([
      'gen_ai.client.inference.duration',
      'gen_ai.client.inference.time_to_first_chunk',
      'gen_ai.execute_tool.duration',
      'gen_ai.invoke_agent.duration',
    ]);
    expect(Object.values(metrics).every(({ unit }) => unit === 's')).toBe(true);
    const told = { ...common, 'gen_ai.response.model': 'm-1' };
    expect(metrics['gen_ai.client.inference.duration']!.points).toEqual([
      { attributes: common, count: 1, sum: 0.002 },
      { attributes: told, count: 1, sum: 0.008 },
    ]);
    expect(metrics['gen_ai.client.inference.time_to_first_chunk']!.points).toEqual([
      { attributes: common, count: 1, sum: 0.001 },
      { attributes: told, count: 1, sum: 0.002 },
    ]);
    expect(metrics['gen_ai.execute_tool.duration']!.points).toEqual([
      {
        attributes: { 'gen_ai.tool.name': 'a', 'gen_ai.tool.type': 'function', 'gen_ai.agent.name': 's' },
        count: 1,
        sum: 0.004,
      },
    ]);
    expect(metrics['gen_ai.invoke_agent.duration']!.points).toEqual([
      { attributes: { 'gen_ai.agent.name': 's' }, count: 1, sum: 0.013 },
    ]);
  });

  it('come in the buckets that the conventions advise', async () => {
    const metrics = await measured(() => ({ model: modelNamed('m', [answer]) }));
    const ends = (name: string) => [metrics[name]!.boundaries[0], metrics[name]!.boundaries.at(-1)];
    expect(ends('gen_ai.client.inference.duration')).toEqual([0.01, 81.92]);
    expect(ends('gen_ai.invoke_agent.duration')).toEqual([0.1, 409.6]);
  });

  it('are the time between the pieces of an answer, too, if that was asked for', async () => {
    const metrics = await measured(() => ({ model: modelNamed('m', [answer]) }), { timePerOutputChunk: true });
    expect(metrics['gen_ai.client.inference.time_per_output_chunk']!.points).toEqual([
      { attributes: common, count: 2, sum: 0.005 },
    ]);
  });

  it('tell of what failed by the kind of error, and of what was left', async () => {
    const error = new ChatModelError('busy', { kind: 'overloaded', provider: 'p', retryable: true });
    const failed = await measured(() => ({ model: modelNamed('m', [{ marbles: '-#', error }]) }));
    for (const name of ['gen_ai.client.inference.duration', 'gen_ai.invoke_agent.duration'])
      expect(failed[name]!.points[0]!.attributes).toMatchObject({ 'error.type': 'overloaded' });
    expect(failed['gen_ai.client.inference.time_to_first_chunk']).toBeUndefined();
    const left = await measured(
      ({ tool }) => ({ model: modelNamed('m', ['A|']), tools: [tool('a', '-----r|')] }),
      {},
      {},
      '---!',
    );
    for (const name of ['gen_ai.execute_tool.duration', 'gen_ai.invoke_agent.duration'])
      expect(left[name]!.points[0]!.attributes).toMatchObject({ 'error.type': 'cancelled' });
  });

  it('need no spans', async () => {
    const metrics = await measured(() => ({ model: modelNamed('m', [answer]) }), { tracer: trace.getTracer('none') });
    expect(metrics['gen_ai.client.inference.duration']!.points).toHaveLength(1);
  });
});
