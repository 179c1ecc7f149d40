import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import type { JsonSchema } from '../../src/chat/tool-specification.ts';
import { tool } from '../../src/tool/tool.ts';
import { ToolArgumentsError } from '../../src/tool/tool-errors.ts';
import type { Tool } from '../../src/tool/types.ts';
import { decoded, executed, execution, failureOf, textIn } from './call.ts';

// Untyped on purpose: much of what stands here does not compile in a user's program.
const echo = (parameters?: unknown) =>
  tool({ name: 'echo', parameters: parameters as JsonSchema, execute: (args) => args as unknown });
const declared = (parameters?: unknown) => echo(parameters).specification.parameters;

/** The result or the error of a call that takes its time. */
const settled = (of: Tool, args: unknown) =>
  new Promise((resolve) => execution(of, args).subscribe({ next: resolve, error: resolve }));

afterEach(() => {
  vi.restoreAllMocks();
});

describe('parameters as a zod object', () => {
  const expected = {
    type: 'object',
    properties: {
      city: { type: 'string', description: 'Where' },
      unit: { type: 'string', enum: ['c', 'f'] },
      days: { type: 'array', items: { type: 'number' } },
    },
    required: ['city', 'days'],
  };

  it('are declared as JSON Schema, from zod itself', () => {
    expect(
      declared(z.object({ city: z.string().describe('Where'), unit: z.enum(['c', 'f']).optional(), days: z.array(z.number()) })),
    ).toEqual(expected);
  });

  it('are declared the same from zod/mini', () => {
    const city = mini.string().check(mini.describe('Where'));
    expect(declared(mini.object({ city, unit: mini.optional(mini.enum(['c', 'f'])), days: mini.array(mini.number()) }))).toEqual(
      expected,
    );
  });

  it('[G54] are declared by their input side: what has a default is optional, and a transform does not show', () => {
    const parameters = z.object({
      id: z.string().transform((text) => ({ text })),
      size: z.number().default(5),
      at: z.coerce.date(),
      until: z.date().optional(),
      length: z.string().pipe(z.transform((text: string) => text.length)),
    });
    expect(declared(parameters)).toEqual({
      type: 'object',
      properties: {
        id: { type: 'string' },
        size: { type: 'number', default: 5 },
        at: { type: 'string', format: 'date-time' },
        until: { type: 'string', format: 'date-time' },
        length: { type: 'string' },
      },
      required: ['id', 'at', 'length'],
    });
  });

  it('[G54] give the tool their output side, with the defaults filled in', () => {
    const parameters = z.object({
      id: z.string().transform((text) => ({ text })),
      size: z.number().default(5),
      at: z.coerce.date(),
    });
    const { value, repaired } = decoded(echo(parameters), { id: 'a', at: '2026-01-02T03:04:05Z' });
    expect(value).toEqual({ id: { text: 'a' }, size: 5, at: new Date('2026-01-02T03:04:05Z') });
    expect(repaired).toBe(false);
  });

  it('[S160] make a new default for each call: what one call does to it does not leak into the next', () => {
    const push = tool({
      name: 'push',
      parameters: z.object({ list: z.array(z.number()).default(() => []) }),
      execute: ({ list }) => list.push(1),
    });
    expect([executed(push), executed(push)].map(textIn)).toEqual(['1', '1']);
  });

  it('[S160] do not replace a bad value by the default', () => {
    const sized = echo(z.object({ size: z.number().default(5) }));
    expect(failureOf(sized, { size: 'big' })).toBeInstanceOf(ToolArgumentsError);
    expect(decoded(sized, { size: 7 }).value).toEqual({ size: 7 });
  });

  it('may be checked asynchronously', async () => {
    const parameters = z.object({ id: z.string().refine((id) => Promise.resolve(id === 'known'), 'no such id') });
    const [good, bad] = await Promise.all(['known', 'other'].map((id) => settled(echo(parameters), { id })));
    expect(good).toMatchObject({ isError: false });
    expect(bad).toBeInstanceOf(ToolArgumentsError);
    expect((bad as Error).message).toContain('no such id');
  });

  it('may be checked asynchronously by what rejects: the call fails, and no rejection goes unheard', async () => {
    const check = vi.fn(() => Promise.reject<boolean>(new Error('the store is down')));
    const failure = await settled(echo(z.object({ id: z.string().refine(check) })), { id: 'a' });
    expect(failure).toBeInstanceOf(ToolArgumentsError);
    expect((failure as Error).message).toContain('the store is down');
    // What else it is asked, nobody waits for: the run of the tests would fail by it.
    expect(check).toHaveBeenCalledTimes(1);
  });

  it('may be transformed asynchronously', async () => {
    const parameters = z.object({ id: z.string().transform((id) => Promise.resolve(id.length)) });
    const measure = tool({ name: 'measure', parameters, execute: ({ id }) => id });
    expect(await settled(measure, { id: 'abc' })).toMatchObject({ contents: [{ text: '3' }], isError: false });
  });

  it('may hold what has no JSON Schema: the model is then told nothing of it', () => {
    expect(declared(z.object({ amount: z.map(z.string(), z.number()), name: z.string() }))).toMatchObject({
      properties: { amount: {}, name: { type: 'string' } },
    });
  });
});

describe('[G55] a tool without parameters', () => {
  const emptyObject = { type: 'object', properties: {} };

  it.each([
    ['none', undefined],
    ['z.object({})', z.object({})],
    ['mini.object({})', mini.object({})],
    ['{}', {}],
    ["{ type: 'object' }", { type: 'object' }],
  ])('%s: declares an object without properties, and takes {}, empty text and blank text', (_, parameters) => {
    expect(declared(parameters)).toEqual(emptyObject);
    for (const text of ['{}', '', ' \n']) expect(decoded(echo(parameters), text)).toEqual({ value: {}, repaired: false });
  });

  it('is given no arguments, whatever the model makes up', () => {
    expect(decoded(echo(), { made: 'up' }).value).toEqual({});
  });
});

describe('[G56] parameters whose root is no object', () => {
  it.each<[what: string, parameters: unknown]>([
    ['z.union', z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])],
    ['z.discriminatedUnion', z.discriminatedUnion('k', [z.object({ k: z.literal('a') })])],
    ['z.array', z.array(z.string())],
    ['z.string', z.string()],
    ['z.record', z.record(z.string(), z.string())],
    ['a transformed object', z.object({ a: z.string() }).transform(({ a }) => a)],
    ['mini.array', mini.array(mini.string())],
    ["{ type: 'array' }", { type: 'array', items: {} }],
    ["{ type: 'string' }", { type: 'string' }],
    ['a number', 42],
    ['null', null],
    ['text', 'city'],
    ['an array', [{ type: 'object' }]],
  ])('%s is a ConfigurationError at the definition, which says what to do', (_, parameters) => {
    expect(() => echo(parameters)).toThrow(ConfigurationError);
    expect(() => echo(parameters)).toThrow(/echo.*parameters.*object/s);
  });

  it('an object beside anyOf is declared as it is', () => {
    const schema = { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] };
    expect(declared(schema)).toEqual({ ...schema, properties: {} });
  });

  it('an object with a refinement stays an object', () => {
    const both = z.object({ from: z.number(), to: z.number() }).refine(({ from, to }) => from < to, 'from must be below to');
    expect(declared(both)).toMatchObject({ type: 'object', required: ['from', 'to'] });
    expect(failureOf(echo(both), { from: 2, to: 1 }).message).toContain('from must be below to');
  });
});

describe('parameters as a JSON Schema', () => {
  const schema = {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 }, unit: { enum: ['c', 'f'] } },
    required: ['city'],
  };

  it('are declared as they are', () => {
    expect(declared(schema)).toEqual(schema);
  });

  it('are checked: missing, wrong type, out of range, unknown value', () => {
    expect(decoded(echo(schema), { city: 'Paris', days: 2, unit: 'c' }).value).toEqual({ city: 'Paris', days: 2, unit: 'c' });
    for (const wrong of [{}, { city: 5 }, { city: '', days: 0 }, { city: '', days: 1.5 }, { city: '', unit: 'k' }]) {
      expect(failureOf(echo(schema), wrong)).toBeInstanceOf(ToolArgumentsError);
    }
  });

  it.each<[what: string, schema: object]>([
    ['a reference to the outside', { properties: { a: { $ref: 'https://example.org/schema.json' } } }],
    ['a reference to nothing', { properties: { a: { $ref: '#/$defs/missing' } } }],
    ['a broken pattern', { properties: { a: { type: 'string', pattern: '(' } } }],
    ['an unknown type', { properties: { a: { type: 'any' } } }],
    ['a property without a schema', { properties: { a: null } }],
    ['if and then', { if: { required: ['a'] }, then: { required: ['b'] } }],
    ['not', { not: { required: ['b'] } }],
    ['dependentRequired', { dependentRequired: { a: ['b'] } }],
  ])('that zod can not convert are passed on unvalidated, with one warning: %s', (_, odd) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const passing = echo({ type: 'object', ...odd });
    expect(warn).not.toHaveBeenCalled();
    expect(decoded(passing, { a: 1 }).value).toEqual({ a: 1 });
    expect(decoded(passing, { a: [2] }).value).toEqual({ a: [2] });
    expect(warn).toHaveBeenCalledOnce();
    expect(warn.mock.calls[0]![0]).toContain('echo');
  });

  it('that refer to themselves without an end do not make every call fail', () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const endless = echo({ type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { $ref: '#/$defs/a' } } });
    expect(decoded(endless, { a: 1 }).value).toEqual({ a: 1 });
  });

  it('may refer to themselves where data has an end', () => {
    const tree = echo({
      type: 'object',
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
      required: ['name'],
    });
    expect(decoded(tree, { name: 'a', children: [{ name: 'b' }] }).value).toEqual({ name: 'a', children: [{ name: 'b' }] });
    expect(failureOf(tree, { name: 'a', children: [{ name: 5 }] }).message).toContain('children.0.name');
  });

  it.each<object>([
    { properties: 5 },
    { required: 'a' },
    { additionalProperties: 5 },
    { $schema: 5 },
    { allOf: 3 },
    { properties: [] },
    { properties: { self: { $ref: '#' } } },
    { type: 'object', title: null },
  ])('that are odd never throw, neither at the definition nor in a call: %j', (odd) => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    expect(decoded(echo(odd), { a: 1 }).value).toEqual({ a: 1 });
  });

  it('are not changed by the tool', () => {
    const frozen = Object.freeze({ properties: Object.freeze({}) });
    expect(declared(frozen)).toEqual({ type: 'object', properties: {} });
    expect(frozen).toEqual({ properties: {} });
  });
});

describe('a definition that can not work is a ConfigurationError', () => {
  const define = (definition: unknown) => () => tool(definition as never);

  it.each<[what: string, definition: unknown, named: string]>([
    ['no definition', undefined, 'tool'],
    ['no name', { execute: () => 1 }, 'name'],
    ['a blank name', { name: ' ', execute: () => 1 }, 'name'],
    ['no execute', { name: 'a' }, 'execute'],
    ['execute that is no function', { name: 'a', execute: 'run' }, 'execute'],
    ['an option that there is not', { name: 'a', execute: () => 1, handler: () => 1 }, 'handler'],
  ])('%s', (_, definition, named) => {
    expect(define(definition)).toThrow(ConfigurationError);
    expect(define(definition)).toThrow(named);
  });
});

describe('a specification', () => {
  it('has what the definition says, and nothing that it does not', () => {
    const full = tool({ name: 'a', description: 'Does a.', metadata: { cache: true }, execute: () => 1 });
    expect(full.specification).toEqual({
      name: 'a',
      description: 'Does a.',
      parameters: { type: 'object', properties: {} },
      metadata: { cache: true },
    });
    expect(Object.keys(tool({ name: 'a', execute: () => 1 }).specification)).toEqual(['name', 'parameters']);
  });
});
