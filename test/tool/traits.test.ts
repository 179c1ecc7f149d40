import { BehaviorSubject, delay, map, of } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import { fromValue } from '../../src/chat/value.ts';
import { executorTool } from '../../src/tool/executor-tool.ts';
import { tool } from '../../src/tool/tool.ts';
import { ToolArgumentsError } from '../../src/tool/tool-errors.ts';
import type { TraitOptions } from '../../src/tool/tool-traits.ts';
import type { Tool, ToolExecution } from '../../src/tool/types.ts';
import { watch } from '../chat/watch.ts';
import { ended } from '../service/started.ts';
import { contextFor } from './call.ts';

const all = {
  returnBehavior: 'immediate',
  searchBehavior: 'alwaysVisible',
  execution: 'exclusive',
  needsApproval: true,
  compensate: () => 'undone',
} as const satisfies TraitOptions<unknown>;

/** Both ways to make a tool. */
const makers: readonly (readonly [string, (traits: object) => Tool])[] = [
  ['tool', (traits) => tool({ name: 'a', execute: () => 'r', ...traits })],
  ['executorTool', (traits) => executorTool({ name: 'a', parameters: {} }, () => ({ contents: [], isError: false }), traits)],
];

/** Asks a tool whether a call with these arguments needs an approval, as the service does. */
const asked = (made: Tool, args: unknown) =>
  fromValue(() => {
    const { needsApproval } = made;
    const context = contextFor(made, args);
    return typeof needsApproval === 'function' ? needsApproval(context.request, context) : needsApproval;
  });

describe.each(makers)('the traits of %s', (_, make) => {
  it('are on the tool, those that were said and no others', () => {
    expect(Object.keys(make({})).sort()).toEqual(['execute', 'pipe', 'specification']);
    expect(make(all)).toMatchObject({ returnBehavior: 'immediate', searchBehavior: 'alwaysVisible', execution: 'exclusive' });
    expect(Object.keys(make(all)).sort()).toEqual([
      'compensate',
      'execute',
      'execution',
      'needsApproval',
      'pipe',
      'returnBehavior',
      'searchBehavior',
      'specification',
    ]);
  });

  it('undefined says nothing, and neither does needsApproval: false', () => {
    const nothing = Object.fromEntries(Object.keys(all).map((option) => [option, undefined]));
    expect(make(nothing)).not.toHaveProperty('execution');
    expect(make({ needsApproval: false })).not.toHaveProperty('needsApproval');
  });

  it('are kept by pipe', () => {
    const made = make(all);
    const piped = made.pipe(delay(1)).pipe(map((result) => result));
    for (const trait of Object.keys(all) as (keyof typeof all)[]) expect(piped[trait]).toBe(made[trait]);
  });

  it('are no part of what the model is told', () => {
    expect(make(all).specification).toEqual(make({}).specification);
  });

  it.each<[string, unknown, string]>([
    ['returnBehavior', 'now', 'it must be one of toLlm, immediate, immediateIfLast'],
    ['searchBehavior', true, 'it must be one of searchable, alwaysVisible'],
    ['execution', 'serial', 'it must be one of parallel, sequential, exclusive'],
    ['execution', null, 'it must be one of parallel, sequential, exclusive'],
    ['needsApproval', 'yes', 'it must be true, false or a function'],
    ['needsApproval', null, 'it must be true, false or a function'],
    ['compensate', true, 'it must be a function'],
  ])('%s can not be %j: the error names the tool and the option and says what it must be', (option, value, remedy) => {
    const making = () => make({ [option]: value });
    expect(making).toThrow(ConfigurationError);
    expect(making).toThrow(`tool a: ${option} is ${JSON.stringify(value)}; ${remedy}`);
  });

  it('compensate is called as a method, with the execution and the context', () => {
    const calls: unknown[][] = [];
    const made = make({ compensate: (...args: unknown[]) => calls.push(args) });
    const execution = { request: { id: '1' } } as ToolExecution;
    const context = contextFor(made);
    void made.compensate!(execution, context);
    expect(calls).toEqual([[execution, context]]);
  });
});

describe('needsApproval of a tool', () => {
  const parameters = z.object({ sum: z.coerce.number().positive(), currency: z.string().default('EUR') });

  it('is asked with the checked arguments, defaults and all, and the context', () => {
    const needsApproval = vi.fn(({ sum }: { sum: number }) => sum > 100);
    const made = tool({ name: 'a', parameters, needsApproval, execute: () => 'r' });
    expect(watch(asked(made, { sum: '101' })).values).toEqual([true]);
    expect(watch(asked(made, '{"sum": 100,}')).values).toEqual([false]);
    expect(needsApproval.mock.calls.map(([args]) => args)).toEqual([
      { sum: 101, currency: 'EUR' },
      { sum: 100, currency: 'EUR' },
    ]);
    expect(needsApproval.mock.calls[0]).toHaveLength(2);
  });

  it.each<[string, boolean | ((args: unknown) => boolean)]>([
    ['a function', () => true],
    ['true', true],
  ])('as %s is an arguments error where the arguments can not be used', (_, needsApproval) => {
    const made = tool({ name: 'a', parameters, needsApproval, execute: () => 'r' });
    for (const args of [{ sum: -1 }, {}, '{"sum":', '[]']) {
      const { error, values } = watch(asked(made, args));
      expect(values).toEqual([]);
      expect(error).toBeInstanceOf(ToolArgumentsError);
    }
  });

  it('of a tool without parameters is asked with no arguments', () => {
    const needsApproval = vi.fn((args: unknown) => Object.keys(args as object).length === 0);
    const made = tool({ name: 'a', needsApproval, execute: () => 'r' });
    expect(watch(asked(made, '')).values).toEqual([true]);
    expect(needsApproval.mock.calls[0]![0]).toEqual({});
  });

  it('answers at once unless it returns a promise', () => {
    const made = (answer: boolean) => tool({ name: 'a', parameters, needsApproval: () => of(answer), execute: () => 'r' });
    expect(watch(asked(made(true), { sum: 1 })).values).toEqual([true]);
    expect(watch(asked(made(false), { sum: 1 })).values).toEqual([false]);
  });

  it('may be a promise, also behind arguments that are checked by one', async () => {
    const slow = z.object({ sum: z.number().refine((sum) => Promise.resolve(sum > 0)) });
    const made = tool({
      name: 'a',
      parameters: slow,
      needsApproval: ({ sum }) => Promise.resolve(sum > 100),
      execute: () => 'r',
    });
    expect(await ended(asked(made, { sum: 101 }))).toBe(true);
    expect(await ended(asked(made, { sum: 5 }))).toBe(false);
    await expect(ended(asked(made, { sum: -5 }))).rejects.toBeInstanceOf(ToolArgumentsError);
  });

  it('may be a stream that does not end: its first value counts, also behind such arguments', async () => {
    const slow = z.object({ sum: z.number().refine((sum) => Promise.resolve(sum > 0)) });
    for (const schema of [parameters, slow]) {
      const made = tool({ name: 'a', parameters: schema, needsApproval: () => new BehaviorSubject(true), execute: () => 'r' });
      expect(await ended(asked(made, { sum: 5 }))).toBe(true);
    }
  });

  it('fails with what it throws, unwrapped', () => {
    const broken = new Error('no rate');
    const made = tool({
      name: 'a',
      parameters,
      needsApproval: () => {
        throw broken;
      },
      execute: () => 'r',
    });
    expect(watch(asked(made, { sum: 1 })).error).toBe(broken);
  });
});

describe('needsApproval of an executorTool', () => {
  it('is asked with the text of the arguments, whatever that is', () => {
    const texts: string[] = [];
    const made = executorTool({ name: 'a', parameters: {} }, () => ({ contents: [], isError: false }), {
      needsApproval: (text) => (texts.push(text), text.includes('rm')),
    });
    expect(watch(asked(made, 'rm -rf')).values).toEqual([true]);
    expect(watch(asked(made, '')).values).toEqual([false]);
    expect(texts).toEqual(['rm -rf', '']);
  });
});
