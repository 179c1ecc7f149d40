import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { JsonSchema } from '../../src/chat/tool-specification.ts';
import { tool } from '../../src/tool/tool.ts';
import type { ToolArgumentsError } from '../../src/tool/tool-errors.ts';
import { decoded, failureOf } from './call.ts';

const echo = (parameters: z.core.$ZodObject | JsonSchema) =>
  tool({ name: 'echo', parameters, execute: (args) => args as unknown });
const json = JSON.stringify;

describe('[G19] values that came as JSON strings', () => {
  const todo = z.object({ id: z.number() });

  it('are decoded where the plain value fails and the decoded one passes, and this is visible', () => {
    const parameters = z.object({ todos: z.array(todo), timeout: z.number(), on: z.boolean() });
    expect(decoded(echo(parameters), { todos: '[{"id":1}]', timeout: '180000', on: 'true' })).toEqual({
      value: { todos: [{ id: 1 }], timeout: 180000, on: true },
      repaired: true,
    });
  });

  it('are decoded with a JSON Schema, too', () => {
    const schema = { type: 'object', properties: { list: { type: 'array', items: { type: 'integer' } } }, required: ['list'] };
    expect(decoded(echo(schema), { list: '[1,2]' })).toEqual({ value: { list: [1, 2] }, repaired: true });
  });

  it('are decoded deep inside, and inside of what was decoded', () => {
    const parameters = z.object({ plan: z.object({ todos: z.array(z.object({ id: z.number(), tags: z.array(z.string()) })) }) });
    const args = { plan: { todos: json([{ id: '1', tags: '["a"]' }]) } };
    expect(decoded(echo(parameters), args)).toEqual({ value: { plan: { todos: [{ id: 1, tags: ['a'] }] } }, repaired: true });
  });

  it('are decoded in the branches of a union', () => {
    const plain = z.object({ v: z.union([z.object({ a: z.number() }), z.object({ b: z.array(z.number()) })]) });
    expect(decoded(echo(plain), { v: { b: '[1]' } })).toEqual({ value: { v: { b: [1] } }, repaired: true });
    const tagged = z.object({
      v: z.discriminatedUnion('k', [z.object({ k: z.literal('a'), a: z.number() }), z.object({ k: z.literal('b') })]),
    });
    expect(decoded(echo(tagged), { v: json({ k: 'a', a: '3' }) })).toEqual({ value: { v: { k: 'a', a: 3 } }, repaired: true });
  });

  it('[G54] are dates and bigints where the schema wants these, which JSON has no values for', () => {
    const parameters = z.object({ at: z.date(), ids: z.array(z.bigint()), until: z.date().optional() });
    expect(
      decoded(echo(parameters), { at: '2026-11-30T12:00:00Z', ids: [1, '12345678901234567890'], until: null }).value,
    ).toEqual({
      at: new Date(Date.UTC(2026, 10, 30, 12)),
      ids: [1n, 12345678901234567890n],
    });
    expect(failureOf(echo(parameters), { at: 'soon', ids: ['x'] })).toMatchObject({
      issues: [{ path: ['at'] }, { path: ['ids', 0] }],
    });
  });

  it('are read as one branch of a union wants them, where another complains of the same', () => {
    const union = z.union([z.object({ b: z.object({}) }), z.object({ b: z.string().nullable(), n: z.number() })]);
    expect(decoded(echo(z.object({ v: union })), { v: { b: null, n: '1' } })).toEqual({
      value: { v: { b: null, n: 1 } },
      repaired: true,
    });
  });

  it('stay text where text is fine', () => {
    const parameters = z.object({ code: z.string(), either: z.union([z.string(), z.number()]) });
    expect(decoded(echo(parameters), { code: '[1]', either: '5' })).toEqual({
      value: { code: '[1]', either: '5' },
      repaired: false,
    });
  });

  it('are reported by the original issues where the decoded value fails as well', () => {
    const error = failureOf(echo(z.object({ n: z.number(), list: z.array(z.number()) })), {
      n: '"five"',
      list: '["a"]',
    }) as ToolArgumentsError;
    expect(error.issues.map(({ path }) => path)).toEqual([['n'], ['list']]);
    expect(error.message).toContain('- list: Invalid input: expected array, received string; got "[\\"a\\"]"');
  });

  it('are no repair where they are text that a refinement refuses', () => {
    const parameters = z.object({ code: z.string().refine((code) => code === 'x', 'must be x') });
    expect(failureOf(echo(parameters), { code: '12' }).message).toContain('- code: must be x; got "12"');
  });
});

describe('[S154] null', () => {
  const parameters = z.object({
    city: z.string(),
    unit: z.enum(['c', 'f']).optional(),
    days: z.number().default(3),
    note: z.string().nullable().optional(),
  });

  it('counts as absent for an optional field, and gives way to a default; this is visible', () => {
    expect(decoded(echo(parameters), { city: 'Paris', unit: null, days: null })).toEqual({
      value: { city: 'Paris', days: 3 },
      repaired: true,
    });
  });

  it('stays null where null is allowed', () => {
    expect(decoded(echo(parameters), { city: 'Paris', note: null })).toEqual({
      value: { city: 'Paris', days: 3, note: null },
      repaired: false,
    });
  });

  it('is refused for a required field', () => {
    expect(failureOf(echo(parameters), { city: null }).message).toContain(
      '- city: Invalid input: expected string, received null; got null',
    );
  });

  it('counts as absent deep inside, and with a JSON Schema', () => {
    const deep = z.object({ list: z.array(z.object({ n: z.number().optional() })) });
    expect(decoded(echo(deep), { list: [{ n: null }, { n: 1 }] })).toEqual({ value: { list: [{}, { n: 1 }] }, repaired: true });
    const schema = { type: 'object', properties: { unit: { type: 'string' }, city: { type: 'string' } }, required: ['city'] };
    expect(decoded(echo(schema), { city: 'Paris', unit: null })).toEqual({ value: { city: 'Paris' }, repaired: true });
  });

  it('is not taken out of a list: its length means something', () => {
    expect(failureOf(echo(z.object({ list: z.array(z.number()) })), { list: [1, null] }).message).toContain('- list.1: ');
  });
});

describe('keys that could change a prototype', () => {
  beforeEach(() => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const hostile = { polluted: true };
  const any = { type: 'object', properties: {} };

  function expectClean(args: unknown): void {
    const waiting = [args];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (typeof next !== 'object' || next === null) continue;
      expect(Object.hasOwn(next, '__proto__')).toBe(false);
      expect((next as { polluted?: unknown }).polluted).toBeUndefined();
      expect(
        (Object.getOwnPropertyDescriptor(next, 'constructor')?.value as { prototype?: unknown } | undefined)?.prototype,
      ).toBeUndefined();
      // What a careless tool does with it must be harmless.
      expect((Object.assign({}, next) as { polluted?: unknown }).polluted).toBeUndefined();
      waiting.push(...(Object.values(next) as unknown[]));
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  }

  const nasty = json(hostile);
  it.each([
    ['at the root', `{"__proto__":${nasty},"kept":1}`],
    ['deep inside', `{"kept":1,"a":[{"b":{"__proto__":${nasty}}}]}`],
    ['constructor.prototype', `{"kept":1,"a":{"constructor":{"prototype":${nasty}}}}`],
    ['with an escaped letter', `{"kept":1,"\\u005f_proto__":${nasty},"a":{"\\u005F\\u005fproto\\u005f_":${nasty}}}`],
    ['constructor with an escaped letter', `{"kept":1,"\\u0063onstructor":{"prototype":${nasty}}}`],
    ['in JSON that had to be repaired', `{"kept":1,"__proto__":${nasty},}`],
    ['in JSON inside a string', json(`{"kept":1,"__proto__":${nasty}}`)],
    ['escaped, in JSON inside a string', json(`{"kept":1,"\\u005f_proto__":${nasty}}`)],
  ])('never reach the tool: %s', (_, text) => {
    for (const parameters of [any, z.looseObject({}), { type: 'object', properties: { x: { $ref: '#/no' } } }]) {
      const { value } = decoded(echo(parameters), text);
      expectClean(value);
      expect(value).toHaveProperty('kept', 1);
    }
  });

  it.each([
    ['__proto__', `[{"__proto__":${nasty}}]`],
    ['an escaped __proto__', `[{"\\u005f_proto__":${nasty}}]`],
    ['constructor.prototype', `[{"constructor":{"prototype":${nasty}}}]`],
  ])('never reach the tool in a value that came as a JSON string: %s', (_, text) => {
    const parameters = z.object({ list: z.array(z.any()) });
    expectClean(decoded(echo(parameters), { list: text }).value);
  });

  it('are kept where they are plain data: a constructor that is a text', () => {
    expect(decoded(echo(any), { constructor: 'McLaren', prototype: 'P1' }).value).toEqual({
      constructor: 'McLaren',
      prototype: 'P1',
    });
  });
});
