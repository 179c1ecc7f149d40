import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonSchema } from '../../../src/chat/tool-specification.ts';
import { closedForm } from '../../../src/provider/schema/closed-form.ts';

const closedSchema = (schema: JsonSchema): JsonSchema | undefined => closedForm(schema).schema;
const jsonSchemaOf = (type: z.ZodType): JsonSchema => z.toJSONSchema(type, { io: 'input' });

describe('a schema for structured outputs', () => {
  it('has closed objects all the way down, and keeps what is optional', () => {
    const inner = z.object({ b: z.string() }).meta({ id: 'Inner' });
    expect(closedSchema(jsonSchemaOf(z.object({ a: inner.optional(), list: z.array(inner) })))).toEqual({
      type: 'object',
      properties: { a: { $ref: '#/$defs/Inner' }, list: { type: 'array', items: { $ref: '#/$defs/Inner' } } },
      required: ['list'],
      additionalProperties: false,
      $defs: {
        Inner: {
          type: 'object',
          properties: { b: { type: 'string' } },
          required: ['b'],
          additionalProperties: false,
        },
      },
    });
  });

  it('tells in the description what is not supported', () => {
    const schema = z.object({
      name: z.string().min(1).max(9).describe('A name'),
      age: z.number().min(0).max(150).multipleOf(0.5),
      some: z.array(z.url()).min(1).max(3),
      many: z.array(z.boolean()).min(2),
    });
    expect(closedSchema(jsonSchemaOf(schema))).toMatchObject({
      properties: {
        name: { type: 'string', description: 'A name (minLength 1, maxLength 9)' },
        age: { type: 'number', description: '(minimum 0, maximum 150, multipleOf 0.5)' },
        some: { type: 'array', items: { type: 'string', format: 'uri' }, minItems: 1, description: '(maxItems 3)' },
        many: { type: 'array', items: { type: 'boolean' }, description: '(minItems 2)' },
      },
    });
  });

  it('has the structure that the Anthropic SDK makes', () => {
    const schema = jsonSchemaOf(
      z.object({
        text: z.string(),
        when: z.iso.date(),
        either: z.discriminatedUnion('t', [z.object({ t: z.literal('a'), n: z.number() }), z.object({ t: z.literal('b') })]),
        words: z.array(z.enum(['x', 'y'])).optional(),
        maybe: z.string().nullable(),
      }),
    );
    expect(shapeOf(closedSchema(schema))).toEqual(
      shapeOf(transformJSONSchema(schema as Parameters<typeof transformJSONSchema>[0])),
    );
  });

  it.each<readonly [string, JsonSchema, string]>([
    ['a record', jsonSchemaOf(z.object({ r: z.record(z.string(), z.number()) })), 'r takes further properties'],
    ['anything', {}, 'the schema takes any value'],
    ['a tuple', jsonSchemaOf(z.object({ t: z.tuple([z.string()]) })), 't is a list with a type for each place'],
    ['what holds itself', { type: 'object', properties: { next: { $ref: '#' } } }, 'next may hold itself'],
  ])('does not exist for %s, and it is said why', (_, schema, why) => {
    expect(closedSchema(schema)).toBeUndefined();
    expect(closedForm(schema)).toEqual({ why });
  });

  it('is the schema itself where it is closed already', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false };
    expect(closedSchema(schema)).toBe(schema);
  });
});

/** A schema without what is only told, and without types that lists of values have anyway. */
function shapeOf(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(shapeOf);
  if (typeof schema !== 'object' || schema === null) return schema;
  const hasValues = 'enum' in schema || 'const' in schema;
  const entries = Object.entries(schema).filter(
    ([key]) => !['description', 'pattern', '$schema'].includes(key) && !(hasValues && key === 'type'),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, shapeOf(value)]));
}
