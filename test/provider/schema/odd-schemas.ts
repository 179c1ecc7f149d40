import fc from 'fast-check';
import type { JsonSchema } from '../../../src/chat/tool-specification.ts';

const keywords = [
  ...['type', 'properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames', 'items', 'prefixItems'],
  ...['anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else', '$ref', '$defs', 'definitions', '$schema', '$id', 'enum', 'const'],
  ...['default', 'description', 'title', 'format', 'pattern', 'minimum', 'exclusiveMinimum', 'minLength', 'maxItems', 'nullable'],
  ...['dependentSchemas', 'contains', 'uniqueItems', 'additionalItems', '__proto__', 'constructor', 'x-vendor'],
];

const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null', 'STRING', 'any'];
const refs = [
  '#',
  '#/$defs/a',
  '#/$defs/b',
  '#/definitions/a',
  '#/properties/a',
  '#/nowhere',
  '#/anyOf/0',
  'other.json#/a',
  '#%',
  '',
];
const names = fc.constantFrom('a', 'b', 'kind', '__proto__', 'constructor', 'toString', '$top', 'a/b');

const anyJson = fc.jsonValue({ maxDepth: 2 });

interface Schemas {
  schema: unknown;
  inner: unknown;
}

const { schema } = fc.letrec<Schemas>((tie) => {
  const map = fc.dictionary(names, tie('inner'), { maxKeys: 4 });
  const list = fc.array(tie('inner'), { maxLength: 3 });
  const valueOf: Record<string, fc.Arbitrary<unknown>> = {
    type: fc.oneof(fc.constantFrom(...types), fc.array(fc.constantFrom(...types), { maxLength: 3 })),
    properties: map,
    patternProperties: map,
    $defs: map,
    definitions: map,
    required: fc.array(names, { maxLength: 3 }),
    anyOf: list,
    oneOf: list,
    allOf: list,
    prefixItems: list,
    items: fc.oneof(tie('inner'), list),
    additionalProperties: fc.oneof(fc.boolean(), tie('inner')),
    $ref: fc.constantFrom(...refs),
    enum: fc.array(fc.oneof(fc.string({ maxLength: 3 }), fc.integer(), fc.constant(null)), { maxLength: 3 }),
    const: fc.oneof(fc.string({ maxLength: 3 }), fc.integer(), fc.constant(null)),
    description: fc.string({ maxLength: 5 }),
    minimum: fc.integer(),
    nullable: fc.boolean(),
  };
  const entry = fc
    .constantFrom(...keywords)
    .chain((keyword) =>
      fc.tuple(fc.constant(keyword), oftenOr(Object.hasOwn(valueOf, keyword) ? valueOf[keyword]! : tie('inner'), anyJson)),
    );
  return {
    schema: fc.array(entry, { maxLength: 6 }).map((entries) => Object.fromEntries(entries)),
    inner: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom({}, { type: 'string' }, true, false),
      tie('schema'),
    ),
  };
});

/** Mostly what belongs there. */
function oftenOr(usual: fc.Arbitrary<unknown>, odd: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: usual, weight: 9 }, { arbitrary: odd, weight: 1 });
}

/** Schemas as careless programs write them, and some JSON that is none at all. */
export const oddSchemas: fc.Arbitrary<JsonSchema> = fc.oneof(
  { arbitrary: schema as fc.Arbitrary<JsonSchema>, weight: 9 },
  { arbitrary: anyJson as fc.Arbitrary<JsonSchema>, weight: 1 },
);
