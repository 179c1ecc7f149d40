import type { JsonSchema } from '../../chat/tool-specification.ts';
import type { Dialect } from './dialect.ts';
import { toldBounds } from './told-bounds.ts';
import { typesOf, valuesOf } from './types-of.ts';

/** What a dialect keeps of a schema that is no reference, but for the schemas in it; the rest is told in the description. */
export function keptKeywords(schema: JsonSchema, dialect: Dialect): JsonSchema {
  const kept = Object.entries(schema).filter(([keyword, value]) => dialect.keeps.get(keyword)?.(value));
  const values = valuesForm(schema, dialect);
  const types = typesOf(schema);
  const description = toldBounds(schema, (keyword) =>
    keyword === 'const' || keyword === 'enum' ? values !== undefined : Boolean(dialect.keeps.get(keyword)?.(schema[keyword])),
  );
  return {
    ...(types.length > 0 && { type: schema['type'] ?? (types.length === 1 ? types[0] : types) }),
    ...Object.fromEntries(kept),
    ...(description !== undefined && { description }),
    ...values,
  };
}

/** The list of values in the dialect's way; `undefined` where it takes no such list. */
function valuesForm(schema: JsonSchema, { constant, enumValue }: Dialect): JsonSchema | undefined {
  const { const: only } = schema;
  if (only !== undefined && constant === 'const') return enumValue(only) ? { const: only } : undefined;
  // Where null is no value it is a type, and stands there already.
  const values = (valuesOf(schema) ?? []).filter((value) => value !== null || enumValue(null));
  return values.length > 0 && values.every(enumValue) ? { enum: values } : undefined;
}
