import 'node:process';
import fc from 'fast-check';
import { asyncScheduler, retry } from 'rxjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tracing } from '../../src/otel/tracing.ts';
import { aiService } from '../../src/service/ai-service.ts';
import type { AiServiceOptions } from '../../src/service/options.ts';
import { runMarbles, type MarbleKit } from '../../src/testing/run-marbles.ts';
import { modelNamed, silent } from './played.ts';
import { complaints, keepingContext, traced } from './traced.ts';

let release: () => void;
let complained: readonly string[];
beforeAll(() => {
  release = keepingContext();
  complained = complaints();
});
afterAll(() => release());

/** Plays an invocation that is left at a frame, and expects that all spans that began have ended, once, in the right order. */
function expectEnded(make: (kit: MarbleKit) => AiServiceOptions, leaveAt: number | undefined, retries = 0) {
  const spans = traced();
  const invoked: string[] = [];
  runMarbles((kit) => {
    const own = tracing({ tracer: spans.tracer, scheduler: asyncScheduler });
    const service = aiService({ logger: silent, ...make(kit), ...own });
    kit.record(service.events$, ({ type }) => {
      invoked.push(type);
      return '';
    });
    const subscription = leaveAt === undefined ? '^' : `^${'-'.repeat(Math.max(0, leaveAt - 1))}!`;
    kit.record(service.stream('Go').pipe(retry(retries)), () => '', subscription);
  });
  expect(spans.open()).toBe(0);
  expect(complained).toEqual([]);
  const ends = invoked.filter((type) => ['completed', 'error', 'cancelled'].includes(type));
  expect(spans.named('invoke_agent')).toHaveLength(ends.length);
  const roots = spans.tree().filter((line) => !line.startsWith(' '));
  expect(roots.every((line) => line === 'invoke_agent')).toBe(true);
  return spans;
}

describe('every span ends once', () => {
  const make = ({ tool }: MarbleKit): AiServiceOptions => ({
    model: modelNamed('m', ['-t-A-B-|', '--C|', '-z-|']),
    tools: [tool('a', '---r|', { compensate: () => undefined }), tool('b', '--#'), tool('c', '-r|')],
    toolExecutionErrorHandler: () => 'failed',
    compensateOnToolErrors: true,
  });

  it.each(Array.from({ length: 24 }, (_, frame) => frame))('also if the invocation is left at frame %i', (frame) => {
    expectEnded(make, frame);
  });

  it('whatever the model and the tools do, and whenever somebody leaves', () => {
    const answer = fc.array(fc.constantFrom('-', '-', 't', '~', 'A', 'B', 'C'), { maxLength: 6 }).map((symbols) => {
      const seen = new Set<string>();
      return symbols.filter((symbol) => !/[ABC]/.test(symbol) || (!seen.has(symbol) && seen.add(symbol))).join('');
    });
    const answers = fc.array(
      fc.tuple(answer, fc.constantFrom('|', '|', '|', '#', '-----')).map((parts) => parts.join('')),
      {
        minLength: 1,
        maxLength: 4,
      },
    );
    const run = fc.constantFrom('r|', '--r|', '-----r|', '#', '--#', '|', '-');
    const script = fc.record({
      answers,
      runs: fc.tuple(run, run, run),
      leaveAt: fc.option(fc.nat(20), { nil: undefined }),
      isUndone: fc.boolean(),
      toTell: fc.boolean(),
      retries: fc.nat(1),
      toolTimeout: fc.constantFrom(undefined, 3),
    });
    fc.assert(
      fc.property(script, ({ answers, runs, leaveAt, isUndone, toTell, retries, toolTimeout }) => {
        const scripted = ({ tool }: MarbleKit): AiServiceOptions => ({
          model: modelNamed('m', answers),
          tools: runs.map((marbles, index) =>
            tool('abc'[index]!, marbles, isUndone && index === 0 ? { compensate: () => undefined } : {}),
          ),
          compensateOnToolErrors: isUndone,
          ...(toTell && { toolExecutionErrorHandler: () => 'failed' }),
          ...(toolTimeout !== undefined && { toolTimeout }),
        });
        // A tool or a model that never ends is left, so that the test does.
        expectEnded(scripted, leaveAt ?? 200, retries);
      }),
      { numRuns: 300 },
    );
  });
});
