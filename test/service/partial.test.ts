import { take, type Observable } from 'rxjs';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import { guardrail } from '../../src/chat/guardrail-result.ts';
import { aiService, type AiService } from '../../src/service/ai-service.ts';
import type { AiServiceOptions } from '../../src/service/options.ts';
import type { DeepPartial } from '../../src/service/output/deep-partial.ts';
import { StructuredOutputError } from '../../src/service/output/structured-output-error.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import type { Recording } from '../../src/testing/recording.ts';
import type { ScriptedRound } from '../../src/testing/scripted-answer.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { tool } from '../../src/tool/tool.ts';
import { watch } from '../chat/watch.ts';
import { answering } from './answering.ts';
import { keptLogs, roomyMemory } from './support.ts';

const weather = z.object({ city: z.string(), days: z.array(z.object({ degrees: z.number() })).default([]) });

/** What came, and when; in the rounds `0` stands for the first text, and so on. */
function partialOf<T>(
  output: z.ZodType<T>,
  rounds: readonly (string | ScriptedRound)[],
  texts: readonly string[],
  options: Partial<AiServiceOptions<T>> = {},
  subscription = '^',
) {
  const model = answering(rounds, texts);
  const service = aiService<T>({ model, output, logger: keptLogs(), ...options });
  let recording: Recording<DeepPartial<T>> | undefined;
  runMarbles(({ record }) => {
    recording = record(service.partial('hello'), () => 'o', subscription);
  });
  const { values, error } = recording!;
  return { values, error, marbles: recording!.drawing(), model };
}

describe('partial()', () => {
  it('shows the object as it grows, and in the end as the schema made it', () => {
    const texts = ['{"ci', 'ty":"Os', 'lo","days":[{"degr', 'ees":-3},{"degrees":4', '}]}'];
    const { marbles, values } = partialOf(weather, ['-0-1-2-3-4-|'], texts);
    expect(marbles).toBe('-o-o-o-o-o-(o|)');
    expect(values).toEqual([
      {},
      { city: 'Os' },
      { city: 'Oslo', days: [{}] },
      { city: 'Oslo', days: [{ degrees: -3 }, {}] },
      { city: 'Oslo', days: [{ degrees: -3 }, { degrees: 4 }] },
      { city: 'Oslo', days: [{ degrees: -3 }, { degrees: 4 }] },
    ]);
  });

  it('has what the schema adds and converts in the last one alone', () => {
    const output = weather.extend({ at: z.coerce.date() });
    const { values } = partialOf(output, ['-0|'], ['{"city":"Oslo","at":"2026-01-01T00:00:00Z"}']);
    expect(values).toEqual([
      { city: 'Oslo', at: '2026-01-01T00:00:00Z' },
      { city: 'Oslo', at: new Date('2026-01-01T00:00:00Z'), days: [] },
    ]);
  });

  it('emits nothing for a piece that adds nothing, and nothing before the object begins', () => {
    const { marbles, values } = partialOf(weather, ['-0-1-2-3-|'], ['Sure: ', '{"city":', ' ', '"Oslo"}']);
    expect(marbles).toBe('---o---o-(o|)');
    expect(values.slice(0, 2)).toEqual([{}, { city: 'Oslo' }]);
  });

  it('hands out values that do not change afterwards', () => {
    const { values } = partialOf(weather, ['-0-1-2-|'], ['{"city":"O', 'slo","days":[{"degrees":1},', '{"degrees":2}]}']);
    expect(JSON.stringify(values[0])).toBe('{"city":"O"}');
    expect(JSON.stringify(values[1])).toBe('{"city":"Oslo","days":[{"degrees":1}]}');
    expect(values[2]!.days![0]).toBe(values[1]!.days![0]);
  });

  it('however the text is cut into pieces, only grows towards what the model wrote', () => {
    const text = '{"city":"Os\\u006co \\"x\\"","days":[{"degrees":-3.5},{"degrees":4}]}';
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: text.length - 1 }), { maxLength: 8 }), (places) => {
        const cuts = [0, ...new Set(places), text.length].sort((one, other) => one - other);
        const pieces = cuts.slice(1).map((end, index) => text.slice(cuts[index], end));
        const { values } = partialOf(weather, [`(${pieces.map((_, digit) => digit).join('')}|)`], pieces);
        expect(values.at(-1)).toEqual({ city: 'Oslo "x"', days: [{ degrees: -3.5 }, { degrees: 4 }] });
        const lengths = values.map(({ city = '', days = [] }) => city.length + days.length);
        expect(lengths).toEqual([...lengths].sort((one, other) => one - other));
        for (const { city = '' } of values) expect('Oslo "x"'.startsWith(city)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it.each<[string, z.ZodType, readonly string[], readonly unknown[]]>([
    ['an array', z.array(z.number()), ['{"value":[1,', '2]}'], [[1], [1, 2], [1, 2]]],
    ['an array without its object', z.array(z.number()), ['[1,', '2]'], [[1], [1, 2], [1, 2]]],
    ['a text', z.string(), ['{"value":"ye', 's"}'], ['ye', 'yes']],
    ['a number', z.number(), ['{"value":1', '2}'], [12]],
    ['a boolean', z.boolean(), ['{"value":tr', 'ue}'], [true]],
    ['an enum', z.enum(['sunny', 'wet']), ['{"value":"su', 'nny"}'], ['su', 'sunny']],
  ])('shows an output that is no object without the one that it comes in: %s', (_, output, texts, expected) => {
    expect(partialOf(output, ['-0-1|'], texts).values).toEqual(expected);
  });

  it('passes over what is said beside calls, and tells nothing of the tools', () => {
    const { marbles, values } = partialOf(weather, ['-0A|', '-1|'], ['Let me look [docs].', '{"city":"Oslo"}'], {
      tools: [scriptedTool('a', '-r|')],
    });
    expect(marbles).toBe('-----o(o|)');
    expect(values).toEqual([{ city: 'Oslo' }, { city: 'Oslo', days: [] }]);
  });

  it('begins anew with each round, whatever one before it has written', () => {
    const { values } = partialOf(weather, ['-0A|', '-1|'], ['{"plan":"ask"', '{"city":"Oslo"}'], {
      tools: [scriptedTool('a', '-r|')],
    });
    expect(values).toEqual([{ plan: 'ask' }, { city: 'Oslo' }, { city: 'Oslo', days: [] }]);
  });

  it('begins anew when the answer did not fit and is asked for once more', () => {
    const { values, marbles } = partialOf(weather, ['-0|', '-1-2|'], ['{"city":7}', '{"city":', '"Oslo"}']);
    expect(values).toEqual([{ city: 7 }, {}, { city: 'Oslo' }, { city: 'Oslo', days: [] }]);
    expect(marbles).toBe('-o-o-o(o|)');
  });

  it('begins anew when the round broke and is asked for again', () => {
    const { values } = partialOf(weather, ['-0#', '-1|'], ['{"city":"Os', '{"city":"Rome"}'], { roundRetries: 1 });
    expect(values).toEqual([{ city: 'Os' }, { city: 'Rome' }, { city: 'Rome', days: [] }]);
  });

  it('errors when the answer does not fit in the end, or was cut', () => {
    const misfit = partialOf(weather, ['-0|', '-0|'], ['{"city":7}']);
    expect(misfit.marbles).toBe('-o-o#');
    expect(misfit.error).toBeInstanceOf(StructuredOutputError);
    const cut = partialOf(weather, [{ marbles: '-0|', response: { finishReason: 'length' } }], ['{"city":"Os']);
    expect(cut.values).toEqual([{ city: 'Os' }]);
    expect(cut.error).toBeInstanceOf(StructuredOutputError);
    expect(cut.model.requests).toHaveLength(1);
  });

  it('errors with the error of the model', () => {
    const { marbles, error } = partialOf(weather, ['-0-#'], ['{"city":"Os']);
    expect(marbles).toBe('-o-#');
    expect(error).toMatchObject({ name: 'ChatModelError' });
  });

  it('shows nothing that the guardrails have not seen: the object comes in one piece', () => {
    const { marbles, values } = partialOf(weather, ['-0-1|'], ['{"city":', '"Oslo"}'], {
      outputGuardrails: [({ text }) => guardrail.rewrite(text!.replace('Oslo', 'Rome'))],
    });
    expect(marbles).toBe('----(o|)');
    expect(values).toEqual([{ city: 'Rome', days: [] }]);
  });

  it('completes without a value where the results of tools are the answer', () => {
    const b = tool({ name: 'b', execute: () => 'done', returnBehavior: 'immediate' });
    expect(partialOf(weather, ['B|'], [], { tools: [b] }).marbles).toBe('-|');
  });

  it('stops the model and the tools when it is left', () => {
    const left = partialOf(weather, ['-0---1|'], ['{"city":"O', 'slo"}'], {}, '^--!');
    expect(left.marbles).toBe('-o');
    expect(left.model.subscriptions()).toEqual(['^--!']);
    const model = answering(['(01|)'], ['{"city":"O', 'slo"}']);
    expect(watch(aiService({ model, output: weather }).partial('hello').pipe(take(1))).values).toEqual([{ city: 'O' }]);
  });

  it('writes memory and fires events as the other views do', () => {
    const fired: string[] = [];
    const chatMemory = roomyMemory();
    partialOf(weather, ['-0|'], ['{"city":"Oslo"}'], { chatMemory, listeners: [({ type }) => fired.push(type)] });
    expect(fired.slice(0, 4)).toEqual(['started', 'requestIssued', 'responseReceived', 'completed']);
    expect(chatMemory.messages()).toHaveLength(2);
  });

  it('of a service without an output is an error that says so, and asks nothing', () => {
    const model = answering(['(0|)'], ['{}']);
    const fired: string[] = [];
    const service = aiService({ model, listeners: [({ type }) => fired.push(type)] });
    const { error, end } = watch(service.partial('hello'));
    expect(end).toBe('error');
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as Error).message).toMatch(/partial\(\) needs the option output/);
    expect([model.requests, fired]).toEqual([[], []]);
  });

  // The type checker is the judge here.
  it('has the type of the output, in which everything may be missing yet', () => {
    const service = aiService({ model: answering(['(0|)'], ['{"city":"Oslo"}']), output: weather });
    const [first] = watch(service.partial('hello')).values;
    expectTypeOf(first!).toEqualTypeOf<{ city?: string; days?: { degrees?: number }[] }>();
    expectTypeOf<ReturnType<AiService<number[]>['partial']>>().toEqualTypeOf<Observable<number[]>>();
    expect(first).toEqual({ city: 'Oslo' });
  });
});
