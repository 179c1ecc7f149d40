import type { FunctionDeclaration, GenerateContentConfig } from '@google/genai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonSchema } from '../../../src/chat/tool-specification.ts';
import { geminiAnswer, geminiDeclaration } from '../../../src/provider/schema/gemini-declaration.ts';
import { geminiSchema } from '../../../src/provider/schema/gemini-schema.ts';
import { tool } from '../../../src/tool/tool.ts';
import { expectGemini, expectGeminiJson } from './rules.ts';

const parametersOf = (parameters?: z.ZodObject | JsonSchema): JsonSchema =>
  tool({ name: 'x', ...(parameters && { parameters }), execute: () => '' }).specification.parameters;

/** A property in the words of Gemini's `Schema`. */
const property = (schema: JsonSchema): unknown => {
  const form = geminiSchema({ type: 'object', properties: { p: schema } });
  return form && (form['properties'] as JsonSchema)['p'];
};

describe('a schema in Gemini’s words', () => {
  it('[G53] has nothing that its parser refuses', () => {
    const schema: JsonSchema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      additionalProperties: false,
      properties: {
        count: { type: 'integer', exclusiveMinimum: 0 },
        unit: { const: 'celsius' },
        note: { type: ['string', 'null'] },
        limit: { anyOf: [{ type: 'number' }, { type: 'null' }], description: 'At most' },
        order: { type: 'string', enum: ['up', 'down'], default: 'up' },
      },
      required: ['count', 'gone'],
    };
    const form = geminiSchema(schema)!;
    expectGemini(form);
    expect(form).toEqual({
      type: 'object',
      properties: {
        count: { type: 'integer', description: '(exclusiveMinimum 0)' },
        unit: { type: 'string', enum: ['celsius'] },
        note: { type: 'string', nullable: true },
        limit: { type: 'number', nullable: true, description: 'At most' },
        order: { type: 'string', enum: ['up', 'down'], description: '(default "up")' },
      },
      required: ['count'],
    });
  });

  it.each<readonly [string, JsonSchema, unknown]>([
    [
      'bounds',
      { type: 'string', minLength: 1, maxLength: 9, pattern: '^a' },
      { type: 'string', minLength: 1, maxLength: 9, pattern: '^a' },
    ],
    ['a format that it knows', { type: 'string', format: 'date-time' }, { type: 'string', format: 'date-time' }],
    ['a format that it refuses', { type: 'string', format: 'uri' }, { type: 'string', description: '(format "uri")' }],
    ['numbers in a list', { enum: [1, 2], description: 'Level' }, { type: 'number', description: 'Level (enum [1,2])' }],
    ['an empty word in a list', { enum: ['', 'a'] }, { type: 'string', description: '(enum ["","a"])' }],
    ['null in a list', { enum: ['a', null] }, { type: 'string', nullable: true, enum: ['a'] }],
    ['a flag that is always set', { const: true }, { type: 'boolean', description: '(const true)' }],
    [
      'several types',
      { type: ['string', 'integer', 'null'] },
      {
        anyOf: [
          { type: 'string', nullable: true },
          { type: 'integer', nullable: true },
        ],
      },
    ],
    [
      'values of several types',
      { enum: ['a', 1] },
      {
        anyOf: [
          { type: 'string', enum: ['a'] },
          { type: 'number', description: '(enum [1])' },
        ],
      },
    ],
    [
      'a list',
      { type: 'array', items: { type: 'number' }, maxItems: 3 },
      { type: 'array', maxItems: 3, items: { type: 'number' } },
    ],
    [
      'a union with something said about it',
      { description: 'Where', oneOf: [{ type: 'string', description: 'a name' }, { type: 'number' }, { type: 'null' }] },
      {
        anyOf: [
          { type: 'string', description: 'Where a name', nullable: true },
          { type: 'number', description: 'Where', nullable: true },
        ],
      },
    ],
    [
      'a union in a union',
      { anyOf: [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, { type: 'boolean' }] },
      { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
    ],
    [
      'what extends another',
      {
        allOf: [
          { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
          { properties: { b: { type: 'number' } } },
        ],
      },
      { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } }, required: ['a'] },
    ],
    [
      'a union beside properties',
      {
        type: 'object',
        properties: { a: { type: 'string' } },
        anyOf: [{ properties: { b: { type: 'number' } } }, { properties: { c: { type: 'number' } } }],
      },
      {
        anyOf: [
          { type: 'object', properties: { b: { type: 'number' }, a: { type: 'string' } } },
          { type: 'object', properties: { c: { type: 'number' }, a: { type: 'string' } } },
        ],
      },
    ],
    [
      'properties without a type',
      { properties: { a: { type: 'string' } } },
      { type: 'object', properties: { a: { type: 'string' } } },
    ],
  ])('[G53] says %s', (_, schema, form) => {
    expect(property(schema)).toEqual(form);
  });

  it('has what references point at in their place', () => {
    const schema = {
      type: 'object',
      properties: { from: { $ref: '#/$defs/Place', description: 'Start' }, to: { $ref: '#/$defs/Place' } },
      $defs: { Place: { type: 'object', properties: { city: { type: 'string' } }, description: 'A place' } },
    };
    expect(geminiSchema(schema)).toEqual({
      type: 'object',
      properties: {
        from: { type: 'object', description: 'Start', properties: { city: { type: 'string' } } },
        to: { type: 'object', description: 'A place', properties: { city: { type: 'string' } } },
      },
    });
  });

  it('is the schema itself where it is in these words already', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', description: 'A' } }, required: ['a'] };
    expect(geminiSchema(schema)).toBe(schema);
  });

  it.each<readonly [string, JsonSchema]>([
    ['records', { type: 'object', additionalProperties: { type: 'number' } }],
    ['objects without properties', { type: 'object', properties: {} }],
    ['any value', {}],
    ['lists of anything', { type: 'array' }],
    ['tuples', { type: 'array', prefixItems: [{ type: 'string' }] }],
    ['nothing but null', { type: 'null' }],
    ['what holds itself', { $ref: '#' }],
  ])('does not exist for %s', (_, schema) => {
    expect(property(schema)).toBeUndefined();
  });
});

describe('the parameters of a tool, for Gemini', () => {
  it('are in its own words where those suffice', () => {
    const parameters = parametersOf(z.object({ city: z.string(), days: z.int().min(1).optional() }));
    expect(geminiDeclaration(parameters)).toEqual({
      parameters: {
        type: 'object',
        properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1, maximum: 9007199254740991 } },
        required: ['city'],
      },
    });
  });

  it.each([
    ['a tool without parameters', parametersOf()],
    ['z.object({})', parametersOf(z.object({}))],
    ['{}', {}],
    ['{ type: object }', { type: 'object' }],
  ])('[G55] are an object without properties as JSON Schema for %s: its own words have no empty object', (_, schema) => {
    expect(geminiDeclaration(schema)).toEqual({ parametersJsonSchema: { type: 'object', properties: {} } });
  });

  it('are JSON Schema for records, tuples and values of any type', () => {
    const parameters = parametersOf(
      z.object({ r: z.record(z.string(), z.number()), t: z.tuple([z.string(), z.number()]), u: z.unknown(), l: z.literal('a') }),
    );
    const declared = geminiDeclaration(parameters);
    expect(declared).toEqual({
      parametersJsonSchema: {
        type: 'object',
        properties: {
          r: { type: 'object', additionalProperties: { type: 'number' } },
          t: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], minItems: 2, maxItems: 2 },
          u: {},
          l: { type: 'string', enum: ['a'] },
        },
        required: ['r', 't', 'u', 'l'],
      },
    });
    const declaration: FunctionDeclaration = 'parametersJsonSchema' in declared ? declared : {};
    expect(declaration).toBe(declared);
  });

  it('are JSON Schema for what holds itself, and only where it need not', () => {
    const Node = {
      type: 'object',
      properties: {
        value: { type: 'string' },
        children: { type: 'array', items: { $ref: '#/$defs/Node', description: 'a child' } },
      },
      required: ['value', 'children'],
      additionalProperties: false,
    };
    const declared = geminiDeclaration({
      type: 'object',
      properties: { tree: { $ref: '#/$defs/Node' } },
      required: ['tree'],
      $defs: { Node },
    });
    expect(declared).toEqual({
      parametersJsonSchema: {
        type: 'object',
        properties: { tree: { $ref: '#/$defs/Node' } },
        required: ['tree'],
        $defs: {
          Node: {
            type: 'object',
            properties: { value: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/Node' } } },
            required: ['value'],
            additionalProperties: false,
          },
        },
      },
    });
    expectGeminiJson((declared as { parametersJsonSchema: JsonSchema }).parametersJsonSchema);
  });

  it('may point at their own root, which then is a definition', () => {
    const root = { type: 'object', properties: { name: { type: 'string' }, parent: { $ref: '#' } } };
    const form = { type: 'object', properties: { name: { type: 'string' }, parent: { $ref: '#/$defs/root' } } };
    expect(geminiDeclaration(root)).toEqual({ parametersJsonSchema: { ...form, $defs: { root: form } } });
  });
});

describe('the schema of an answer, for Gemini', () => {
  it('is said in the same two ways', () => {
    const list = { type: 'array', items: { type: 'string' } };
    expect(geminiAnswer(list)).toEqual({ responseSchema: list });
    const records = { type: 'object', additionalProperties: { type: 'string' } };
    expect(geminiAnswer(records)).toEqual({ responseJsonSchema: records });
    const config: GenerateContentConfig = { responseMimeType: 'application/json', ...geminiAnswer(records) };
    expect(config.responseJsonSchema).toBe(records);
  });
});
