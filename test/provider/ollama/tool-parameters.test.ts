import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toolParameters } from '../../../src/provider/ollama/tool-parameters.ts';

const within = (schema: unknown) => toolParameters({ type: 'object', properties: { x: schema } })['properties'];

describe('toolParameters', () => {
  it.each([[{}], [{ type: 'object' }], [{ type: 'object', properties: {} }]])(
    '[G55] are an object with properties: %j',
    (schema) => {
      expect(toolParameters(schema)).toMatchObject({ type: 'object', properties: {} });
    },
  );

  it('leave what fits as it is', () => {
    const schema = {
      type: 'object',
      properties: {
        city: { type: 'string', description: 'Where', enum: ['Paris', 'Rome'] },
        days: { type: ['integer', 'null'], minimum: 1 },
        places: { type: 'array', items: { type: 'string' } },
        at: { type: 'object', properties: { x: { anyOf: [{ type: 'number' }, { type: 'null' }] } }, required: ['x'] },
      },
      required: ['city'],
    };
    expect(toolParameters(schema)).toEqual(schema);
  });

  it('say what the server knows no word for in words that it knows', () => {
    expect(within({ const: 'a' })).toEqual({ x: { enum: ['a'] } });
    expect(within({ oneOf: [{ type: 'string' }, { const: 1 }] })).toMatchObject({
      x: { anyOf: [{ type: 'string' }, { enum: [1] }] },
    });
  });

  it('have what a reference stands for in its place', () => {
    const schema = {
      type: 'object',
      properties: { at: { $ref: '#/$defs/point' } },
      $defs: { point: { type: 'object', properties: { x: { type: 'number' } } } },
    };
    expect(toolParameters(schema)).toMatchObject({
      properties: { at: { type: 'object', properties: { x: { type: 'number' } } } },
    });
  });

  it.each<[unknown]>([
    [true],
    [false],
    [{ type: 1 }],
    [{ type: ['string', 1] }],
    [{ description: { text: 'x' } }],
    [{ type: 'string', required: true }],
    [{ properties: [] }],
    [{ properties: { y: true } }],
    [{ anyOf: [true, { type: 'string' }] }],
    [{ anyOf: {} }],
    [{ enum: 'a' }],
  ])('never hold what makes the server refuse the request of all tools: %j', (schema) => {
    const sent = within(schema);
    expect(sent).toHaveProperty('x');
    checkFits(sent);
  });

  it('fit the types into which the server reads them, whatever they are', () => {
    const keywords = ['type', 'description', 'required', 'enum', 'anyOf', 'oneOf', 'properties', 'items', 'const', 'x'];
    const odd = fc.letrec<{ schema: unknown }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        fc.jsonValue(),
        fc.dictionary(
          fc.constantFrom(...keywords),
          fc.oneof(tie('schema'), fc.array(tie('schema'), { maxLength: 3 }), fc.constantFrom('object', 'a')),
        ),
      ),
    })).schema;
    fc.assert(fc.property(odd, (schema) => checkFits(within(schema))));
    expect.hasAssertions();
  });
});

/** What Go's decoder does with the properties of a tool. */
function checkFits(properties: unknown): void {
  for (const schema of Object.values(properties as Record<string, Record<string, unknown>>)) {
    expect(schema).toBeTypeOf('object');
    expect(Array.isArray(schema)).toBe(false);
    const { type = 'string', description = '', required = [], anyOf = [], properties: inner = {}, enum: allowed = [] } = schema;
    expect([type].flat().every((name) => typeof name === 'string')).toBe(true);
    expect(description).toBeTypeOf('string');
    expect((required as unknown[]).every((name) => typeof name === 'string')).toBe(true);
    expect(Array.isArray(allowed)).toBe(true);
    checkFits({ ...(anyOf as object[]) });
    checkFits(inner);
  }
}
