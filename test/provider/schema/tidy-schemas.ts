import fc from 'fast-check';
import type { JsonSchema } from '../../../src/chat/tool-specification.ts';

const names = fc.constantFrom('a', 'b', 'c', 'kind');

/** One of several kinds of objects, which share nothing but the name of the kind. */
function ofKind(kind: string, { properties, required }: JsonSchema): JsonSchema {
  const own = (name: string): string => `${kind}_${name}`;
  const entries = Object.entries(properties as object).map(([name, schema]) => [own(name), schema as unknown]);
  return {
    type: 'object',
    properties: { ...Object.fromEntries(entries), kind: { type: 'string', const: kind } },
    required: [...(required as string[]).map(own), 'kind'],
  };
}

/** Schemas as careful programs write them: objects with properties, lists, unions and references, optional here and there. */
const { object } = fc.letrec<{ schema: JsonSchema; object: JsonSchema; leaf: JsonSchema }>((tie) => ({
  leaf: fc.constantFrom<JsonSchema>(
    { type: 'string' },
    { type: 'string', description: 'Words', default: 'x' },
    { type: 'string', enum: ['a', 'b'] },
    { type: 'string', const: 'a' },
    { enum: ['a', 1, null] },
    { type: ['string', 'null'] },
    { type: ['number', 'boolean'] },
    { type: 'integer', minimum: 0, maximum: 9 },
    { type: 'boolean' },
    { const: 3 },
    { $ref: '#/$defs/leaf' },
    { $ref: '#/$defs/node' },
    { $ref: '#/$defs/leaf', description: 'A leaf' },
    { allOf: [{ $ref: '#/$defs/leaf' }], description: 'Another' },
  ),
  object: fc
    .dictionary(names, tie('schema'), { minKeys: 1, maxKeys: 3 })
    .chain((properties) => fc.subarray(Object.keys(properties)).map((required) => ({ type: 'object', properties, required }))),
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    tie('object'),
    tie('schema').map((items) => ({ type: 'array', items })),
    fc.tuple(tie('schema'), tie('leaf')).map((anyOf) => ({ anyOf })),
    fc.tuple(tie('object'), tie('object')).map(([a, b]) => ({ oneOf: [ofKind('a', a), ofKind('b', b)] })),
    fc.tuple(tie('object'), tie('leaf')).map(([one, other]) => ({ anyOf: [one, other, { type: 'null' }], description: 'One' })),
  ),
}));

const $defs = {
  leaf: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  node: {
    type: 'object',
    properties: { value: { type: 'integer' }, next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } },
    required: ['value'],
  },
};

export const tidySchemas: fc.Arbitrary<JsonSchema> = object.map((schema) => ({ ...schema, $defs }));
