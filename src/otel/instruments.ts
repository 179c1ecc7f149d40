import { createNoopMeter, metrics, type Histogram, type Meter } from '@opentelemetry/api';
import { metric } from './gen-ai.ts';

/** All in seconds. */
export type Instruments = Readonly<Record<keyof typeof metric, Histogram>>;

const fromHundredth = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const fromTenth = [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 102.4, 204.8, 409.6];

const made = new WeakMap<Meter, Instruments>();

/** Those of a meter, or `undefined` while nobody measures: then nothing is timed. */
export function instrumentsOf(given: Meter | undefined): Instruments | undefined {
  const meter = given ?? metrics.getMeter('toolstream');
  if (meter === createNoopMeter()) return undefined;
  // The API hands out the same meter for the same name only by the grace of the SDK.
  const known = made.get(meter);
  if (known) return known;
  const histogram = (name: string, description: string, explicitBucketBoundaries = fromHundredth) =>
    meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries } });
  const instruments: Instruments = {
    agentDuration: histogram(metric.agentDuration, 'How long an invocation took.', fromTenth),
    chatDuration: histogram(metric.chatDuration, 'How long a request to a model took.'),
    timePerOutputChunk: histogram(metric.timePerOutputChunk, 'The time between two pieces of an answer.'),
    timeToFirstChunk: histogram(metric.timeToFirstChunk, 'The time from a request to the first piece of its answer.'),
    toolDuration: histogram(metric.toolDuration, 'How long the execution of a tool took.'),
  };
  made.set(meter, instruments);
  return instruments;
}
