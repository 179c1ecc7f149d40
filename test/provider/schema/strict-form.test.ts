import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonSchema } from '../../../src/chat/tool-specification.ts';
import { strictForm } from '../../../src/provider/schema/strict-form.ts';
import { tool } from '../../../src/tool/tool.ts';
import { expectStrict } from './rules.ts';

const strictSchema = (...args: Parameters<typeof strictForm>): JsonSchema | undefined => strictForm(...args).schema;

const parametersOf = (parameters: z.ZodObject | JsonSchema): JsonSchema =>
  tool({ name: 'x', parameters, execute: () => '' }).specification.parameters;

const strict = (parameters: z.ZodObject | JsonSchema): JsonSchema | undefined => strictSchema(parametersOf(parameters));
const whyNot = (parameters: z.ZodObject | JsonSchema): string | undefined => {
  const form = strictForm(parametersOf(parameters));
  return form.schema ? undefined : form.why;
};

describe('strict mode', () => {
  it('[G52] requires every key, and lets an optional one be null', () => {
    const search = z.object({ urls: z.array(z.string()), depth: z.enum(['low', 'high']).optional() });
    expect(strict(search)).toEqual({
      type: 'object',
      properties: {
        urls: { type: 'array', items: { type: 'string' } },
        depth: { type: ['string', 'null'], enum: ['low', 'high', null] },
      },
      required: ['urls', 'depth'],
      additionalProperties: false,
    });
  });

  it('[G52] finds a way to say null for every kind of optional property', () => {
    const all = z.object({
      words: z.string().optional(),
      one: z.literal('a').optional(),
      some: z.union([z.string(), z.number()]).optional(),
      either: z.union([z.array(z.string()), z.boolean()]).optional(),
      nullish: z.string().nullish(),
      inner: z.object({ a: z.number() }).describe('Inner').optional(),
    });
    expect(strict(all)).toMatchObject({
      properties: {
        words: { type: ['string', 'null'] },
        one: { anyOf: [{ type: 'string', const: 'a' }, { type: 'null' }] },
        some: { type: ['string', 'number', 'null'] },
        either: { anyOf: [{ type: 'array' }, { type: 'boolean' }, { type: 'null' }] },
        nullish: { type: ['string', 'null'] },
        inner: {
          description: 'Inner',
          anyOf: [{ type: 'object', required: ['a'], additionalProperties: false }, { type: 'null' }],
        },
      },
      required: ['words', 'one', 'some', 'either', 'nullish', 'inner'],
    });
  });

  it('[G52] closes every object: in lists, in unions and in definitions', () => {
    const base = { id: 'Item' };
    const item = z.object({ name: z.string() }).meta(base);
    const shape = z.object({
      list: z.array(item),
      union: z.discriminatedUnion('t', [z.object({ t: z.literal(1), x: z.string().optional() }), z.object({ t: z.literal(2) })]),
      item,
    });
    const schema = strict(shape)!;
    expectStrict(schema);
    expect(schema).toMatchObject({
      properties: { union: { anyOf: [{ required: ['t', 'x'] }, { required: ['t'] }] }, item: { $ref: '#/$defs/Item' } },
      $defs: { Item: { additionalProperties: false } },
    });
  });

  it('keeps what holds itself', () => {
    interface Tree {
      value: string;
      children?: Tree[] | undefined;
    }
    const tree: z.ZodType<Tree> = z.object({ value: z.string(), children: z.lazy(() => z.array(tree)).optional() });
    const schema = strict(z.object({ tree }))!;
    expectStrict(schema);
    expect(JSON.stringify(schema)).toContain('"items":{"$ref":"#/$defs/');
    const root = { type: 'object', properties: { next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } }, required: ['next'] };
    expect(strict(root)).toEqual({ ...root, additionalProperties: false });
  });

  it('is the schema itself where it is strict already', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false };
    expect(strictSchema(schema)).toBe(schema);
    expect(strictSchema(schema, 'refused')).toBe(schema);
  });

  it('knows definitions only at the root and by one name each', () => {
    const schema = {
      type: 'object',
      properties: {
        a: { $ref: '#/definitions/Part' },
        b: { $ref: '#/$defs/x~1Part' },
        c: { $ref: '#/properties/d' },
        d: { type: 'number' },
      },
      required: ['a', 'b', 'c', 'd'],
      definitions: { Part: { type: 'string' } },
      $defs: { 'x/Part': { $ref: '#/definitions/Part' }, unused: { type: 'object' } },
    };
    expect(strict(schema)).toMatchObject({
      properties: { a: { $ref: '#/$defs/Part' }, b: { $ref: '#/$defs/x_Part' }, c: { $ref: '#/$defs/d' } },
      $defs: { Part: { type: 'string' }, x_Part: { $ref: '#/$defs/Part' }, d: { type: 'number' } },
    });
    expect(strict(schema)!['$defs']).not.toHaveProperty('unused');
  });

  it('resolves a reference with something beside it, and what extends one', () => {
    const Base = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
    const extended = { allOf: [{ $ref: '#/$defs/Base' }, { properties: { n: { type: 'number' } }, required: ['n'] }] };
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/Base', description: 'A' }, b: extended },
      required: ['a', 'b'],
      $defs: { Base },
    };
    expect(strict(schema)).toEqual({
      type: 'object',
      properties: {
        a: { ...Base, description: 'A', additionalProperties: false },
        b: {
          type: 'object',
          properties: { id: { type: 'string' }, n: { type: 'number' } },
          required: ['id', 'n'],
          additionalProperties: false,
        },
      },
      required: ['a', 'b'],
      additionalProperties: false,
    });
  });

  it('tells in the description what it has no keyword for', () => {
    const schema = z.object({
      name: z.string().min(2).max(5).describe('A name'),
      link: z.url(),
      limit: z.int().min(1).default(10),
      exact: z.string().regex(/^(?!x).*$/),
    });
    expect(strict(schema)).toMatchObject({
      properties: {
        name: { type: 'string', description: 'A name (minLength 2, maxLength 5)' },
        link: { description: '(format "uri")' },
        limit: { type: ['integer', 'null'], minimum: 1, description: '(default 10)' },
        exact: { description: '(pattern "^(?!x).*$")' },
      },
    });
  });

  it.each<readonly [string, z.ZodObject | JsonSchema, string]>([
    ['a record', z.object({ r: z.record(z.string(), z.number()) }), 'r takes further properties'],
    ['an open object', z.object({ o: z.looseObject({ a: z.string() }) }), 'o takes further properties'],
    ['a bare object', { properties: { o: { type: 'object' } } }, 'o takes further properties'],
    ['an open root', z.looseObject({ a: z.string() }), 'the schema takes further properties'],
    [
      'properties by pattern',
      { properties: { o: { type: 'object', properties: {}, patternProperties: { '^x': {} } } } },
      'o takes further properties',
    ],
    [
      'properties on conditions',
      { properties: { o: { type: 'object', properties: {}, if: {}, then: { properties: { a: {} } } } } },
      'o takes further properties',
    ],
    ['a value of any type', z.object({ list: z.array(z.object({ a: z.unknown() })) }), 'list[].a takes any value'],
    ['a tuple', z.object({ pair: z.tuple([z.string(), z.number()]) }), 'pair is a list with a type for each place'],
    [
      'alternatives at the root',
      { anyOf: [{ required: ['a'] }, { properties: { b: {} } }] },
      'the root of the schema has alternatives',
    ],
    ['a demand for what is not described', { properties: {}, required: ['a'] }, 'the schema requires what it does not describe'],
    ['no value', z.object({ a: z.never() }), 'a takes any value'],
    ['certain objects', { properties: { a: { enum: [{ x: 1 }] } } }, 'a takes certain objects or lists'],
  ])('[G52] has no form for %s, and says where', (_, schema, why) => {
    expect(strict(schema)).toBeUndefined();
    expect(whyNot(schema)).toBe(why);
  });

  it('has limits, beyond which a schema has no form', () => {
    const nested = (levels: number): JsonSchema =>
      levels === 0 ? { type: 'string' } : { type: 'object', properties: { a: nested(levels - 1) }, required: ['a'] };
    expect(strict(nested(10))).toBeDefined();
    expect(whyNot(nested(11))).toBe('the schema has more than 10 levels');
    const listed = (values: number, length: number): JsonSchema => ({
      type: 'object',
      properties: { e: { enum: Array.from({ length: values }, (_, i) => String(i).padStart(length, 'x')) } },
      required: ['e'],
    });
    expect(strict(listed(1000, 5))).toBeDefined();
    expect(whyNot(listed(1001, 5))).toBe('the schema lists more than 1000 values');
    expect(whyNot(listed(300, 60))).toBe('one of its lists of values has more than 15000 letters');
    expect(whyNot(listed(200, 700))).toBe('the schema has more than 120000 letters in its names and values');
    const wide = Object.fromEntries(Array.from({ length: 5001 }, (_, i) => [`p${i}`, { type: 'string' }]));
    expect(whyNot({ type: 'object', properties: wide })).toBe('the schema has more than 5000 properties');
  });
});

describe('strict mode for answers', () => {
  it('has no form where a property is optional: null in its place would not fit the schema', () => {
    const schema = parametersOf(z.object({ a: z.string(), inner: z.object({ b: z.string().optional() }) }));
    expect(strictSchema(schema)).toBeDefined();
    expect(strictForm(schema, 'refused')).toEqual({ why: 'inner.b is optional' });
  });

  it.each<readonly [string, JsonSchema]>([
    ['a list', { type: 'array', items: { type: 'string' } }],
    ['a union', { anyOf: [{ type: 'object', properties: {} }, { type: 'string' }] }],
    ['anything', {}],
    ['an object of anything', { type: 'object' }],
  ])('has no form for %s', (_, schema) => {
    expect(strictSchema(schema, 'refused')).toBeUndefined();
  });

  it('resolves a reference at the root', () => {
    const A = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
    expect(strictSchema({ $ref: '#/$defs/A', $defs: { A } }, 'refused')).toEqual({ ...A, additionalProperties: false });
  });
});
