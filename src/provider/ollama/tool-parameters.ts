import type { JsonSchema } from '../../chat/tool-specification.ts';
import { inlinedRefs } from '../schema/inlined-refs.ts';
import { entriesOf, isJsonObject, listOf } from '../schema/json-object.ts';
import { objectSchema } from '../schema/object-schema.ts';

/**
 * A tool's parameters as the server takes them. It reads them into types of its own: `true` for a schema makes it refuse the
 * whole request, and a word that is not among them, such as `$ref`, `const` and `oneOf`, is lost on the model.
 */
export function toolParameters(parameters: JsonSchema): JsonSchema {
  return known(objectSchema(inlinedRefs(parameters) ?? parameters));
}

function known(schema: unknown): JsonSchema {
  // `true`, which allows everything.
  if (!isJsonObject(schema)) return {};
  const { const: value, oneOf, ...rest } = schema;
  const { properties, anyOf = oneOf, items } = rest;
  return {
    ...(value !== undefined && { enum: [value] }),
    ...rest,
    ...(properties !== undefined && {
      properties: Object.fromEntries(entriesOf(properties).map(([key, of]) => [key, known(of)])),
    }),
    ...(anyOf !== undefined && { anyOf: listOf(anyOf).map(known) }),
    ...(items !== undefined && { items: known(items) }),
  };
}
