import type { JsonSchema } from '../../chat/tool-specification.ts';
import { only, without } from './json-object.ts';
import { toldBounds } from './told-bounds.ts';
import { typeOfValue, valuesOf } from './types-of.ts';

/** Which keywords Gemini's `Schema` has for which type, besides those with schemas in them. */
const keywordsOf: Readonly<Record<string, readonly string[]>> = {
  string: ['pattern', 'minLength', 'maxLength'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  array: ['minItems', 'maxItems'],
  object: ['minProperties', 'maxProperties'],
};

/** Any other format fails the request. */
const formatsOf: Readonly<Record<string, readonly unknown[]>> = {
  string: ['date-time'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
};

/** What Gemini's `Schema` can say of one type, without the schemas in it; the rest is told in the description. */
export function geminiKeywords(schema: JsonSchema, type: string, isNullable: boolean): JsonSchema {
  const kept = {
    ...only(schema, ['title', ...(keywordsOf[type] ?? [])]),
    ...(formatsOf[type]?.includes(schema['format']) && { format: schema['format'] }),
    ...(type === 'string' && wordsOf(schema)),
  };
  const description = toldBounds(schema, (keyword) => (keyword === 'const' ? 'enum' : keyword) in kept);
  return { type, ...(description !== undefined && { description }), ...(isNullable && { nullable: true }), ...kept };
}

/** Only words can be listed, and no empty one. */
function wordsOf(schema: JsonSchema): JsonSchema | undefined {
  const words = valuesOf(schema)?.filter((value) => value !== null);
  return words?.length && words.every((word) => typeof word === 'string' && word !== '') ? { enum: words } : undefined;
}

/** A schema of several types as far as it is about one of them. */
export function narrowedTo(type: string, schema: JsonSchema): JsonSchema {
  const values = valuesOf(schema)?.filter((value) => {
    const own = typeOfValue(value);
    return own === type || (own === 'number' && type === 'integer');
  });
  return { ...without(schema, ['const']), ...(values && { enum: values }), type };
}
