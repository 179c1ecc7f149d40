import type Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonSchema } from '../../../src/chat/tool-specification.ts';
import { objectSchema } from '../../../src/provider/schema/object-schema.ts';
import { tool } from '../../../src/tool/tool.ts';

const parametersOf = (parameters?: z.ZodObject | JsonSchema): JsonSchema =>
  tool({ name: 'x', ...(parameters && { parameters }), execute: () => '' }).specification.parameters;

describe('the root of a tool’s parameters', () => {
  it('is not changed where it is an object with properties', () => {
    const schema = {
      type: 'object',
      properties: { a: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/b' }] } },
      $defs: { b: {} },
    };
    expect(objectSchema(schema)).toBe(schema);
    const ofZod = parametersOf(z.object({ when: z.iso.datetime(), tags: z.array(z.unknown()), pair: z.tuple([z.string()]) }));
    expect(objectSchema(ofZod)).toBe(ofZod);
  });

  it.each([
    ['a tool without parameters', parametersOf()],
    ['z.object({})', parametersOf(z.object({}))],
    ['{}', {}],
    ['{ type: object }', { type: 'object' }],
    ['properties: null', { type: 'object', properties: null }],
    ['an object in capitals', { type: 'OBJECT' }],
    ['an object or null', { type: ['object', 'null'] }],
    ['a reference to nowhere', { $ref: '#/$defs/gone' }],
    ['a reference to itself', { $ref: '#' }],
    ['a list', { type: 'array', items: { type: 'string' } }],
    ['a list of values', { enum: ['a', 'b'] }],
    ['null', null as unknown as JsonSchema],
    ['true', true as unknown as JsonSchema],
    ['a list of schemas', [{ type: 'object' }] as unknown as JsonSchema],
  ])('[G55] is an object without properties for %s', (_, schema) => {
    expect(objectSchema(schema)).toEqual({ type: 'object', properties: {} });
  });

  it('[G56] tells the branches of a union as one object', () => {
    const schema = {
      description: 'A shape',
      oneOf: [
        {
          type: 'object',
          properties: { kind: { type: 'string', const: 'circle' }, size: { type: 'number' } },
          required: ['kind', 'size'],
        },
        { $ref: '#/$defs/box' },
        { type: 'null' },
      ],
      $defs: {
        box: {
          type: 'object',
          properties: { kind: { type: 'string', const: 'box' }, size: { type: 'string' }, tilt: { type: 'number' } },
          required: ['kind', 'tilt'],
        },
      },
    };
    expect(objectSchema(schema)).toEqual({
      type: 'object',
      description: 'A shape',
      properties: {
        kind: { type: 'string', enum: ['circle', 'box'] },
        size: { anyOf: [{ type: 'number' }, { type: 'string' }] },
        tilt: { type: 'number' },
      },
      required: ['kind'],
      $defs: schema.$defs,
    });
  });

  it('[G56] keeps its own properties where a union stands beside them', () => {
    const properties = { id: { type: 'string' }, name: { type: 'string' } };
    const either = {
      type: 'object',
      properties,
      anyOf: [{ required: ['id'] }, { required: ['name'] }],
      additionalProperties: false,
    };
    expect(objectSchema(either)).toEqual({ type: 'object', properties, additionalProperties: false });
    const more = { type: 'object', properties, required: ['id'], anyOf: [{ properties: { age: { type: 'integer' } } }, {}] };
    expect(objectSchema(more)).toEqual({
      type: 'object',
      properties: { ...properties, age: { type: 'integer' } },
      required: ['id'],
    });
  });

  it('[G56] takes the properties and demands of all that it extends', () => {
    const schema = {
      allOf: [
        { $ref: '#/definitions/base' },
        { properties: { b: { type: 'number' } }, required: ['b'], if: { required: ['b'] }, then: { properties: { c: {} } } },
      ],
      definitions: { base: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } },
    };
    expect(objectSchema(schema)).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'number' }, c: {} },
      required: ['a', 'b'],
      definitions: schema.definitions,
    });
  });

  it('[G56] is what a reference at the root points at, also when it holds itself', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, required: ['next'], description: 'A node' };
    expect(objectSchema({ $ref: '#/$defs/node', $defs: { node } })).toEqual({ ...node, $defs: { node } });
  });

  it('is one that the Anthropic SDK takes', () => {
    const schema = objectSchema({ anyOf: [{ type: 'object' }] });
    const input = { ...schema, type: 'object' } satisfies Anthropic.Tool.InputSchema;
    expect(input).toEqual({ type: 'object', properties: {} });
  });
});

describe('a slip in a schema', () => {
  const withProperty = (property: unknown): JsonSchema => ({ type: 'object', properties: { p: property } });
  const propertyOf = (schema: JsonSchema): unknown => (objectSchema(schema)['properties'] as JsonSchema)['p'];

  it.each<readonly [string, unknown, unknown]>([
    ['a type that no value has', { type: 'any', title: 'T' }, { title: 'T' }],
    ['types in capitals', { type: ['STRING', 'Null'] }, { type: ['string', 'null'] }],
    ['a property that is no schema', 'string', {}],
    ['null for absent', { type: 'string', enum: null, pattern: null, description: null }, { type: 'string' }],
    ['an empty list of values', { type: 'string', enum: [] }, { type: 'string' }],
    ['values that are listed twice', { enum: ['a', 'a', 'b'] }, { enum: ['a', 'b'] }],
    ['an empty union', { type: 'string', anyOf: [] }, { type: 'string' }],
    ['required as a flag', { type: 'object', properties: {}, required: true }, { type: 'object', properties: {} }],
    ['a list of anything', { type: 'array' }, { type: 'array', items: {} }],
    ['a negative length', { type: 'string', minLength: -1, maxLength: '5' }, { type: 'string' }],
    ['a regular expression that other languages read differently', { type: 'string', pattern: '\\p{L}+' }, { type: 'string' }],
    ['a broken regular expression', { type: 'string', pattern: '(' }, { type: 'string' }],
    ['a reference to nowhere', { $ref: '#/$defs/gone', title: 'T' }, { title: 'T' }],
    ['a reference into another document', { $ref: 'other.json#/a' }, {}],
    [
      'an exclusive bound of draft 4',
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      { type: 'number', exclusiveMinimum: 1 },
    ],
    ['OpenAPI’s nullable', { type: 'string', enum: ['a'], nullable: true }, { type: ['string', 'null'], enum: ['a', null] }],
    [
      'a list with places of draft 7',
      { type: 'array', items: [{ type: 'string' }], additionalItems: false },
      { type: 'array', prefixItems: [{ type: 'string' }], items: false },
    ],
  ])('is mended, so that it fails no request: %s', (_, property, mended) => {
    expect(propertyOf(withProperty(property))).toEqual(mended);
  });

  it('never reaches a prototype', () => {
    const schema = JSON.parse(
      '{"anyOf":[{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{}}}]}',
    ) as JsonSchema;
    const properties = objectSchema(schema)['properties'] as object;
    expect(JSON.stringify(properties)).toBe('{"__proto__":{"type":"string"},"constructor":{}}');
    expect(Object.getPrototypeOf(properties)).toBe(Object.prototype);
    expect(objectSchema({ $ref: '#/constructor' })).toEqual({ type: 'object', properties: {} });
  });

  it('costs no more than a hundred levels, and what lies below them', () => {
    let deep: JsonSchema = { type: 'string' };
    for (let i = 0; i < 20_000; i++) deep = { type: 'array', items: deep };
    expect(JSON.stringify(propertyOf(withProperty(deep))).match(/"array"/g)).toHaveLength(100);
  });

  it('may be a circle of objects', () => {
    const circle: Record<string, unknown> = { type: 'object', properties: {} };
    circle['properties'] = { self: circle, name: { type: 'string' } };
    expect(objectSchema(circle)).toEqual({ type: 'object', properties: { self: {}, name: { type: 'string' } } });
  });
});
