import type { JsonSchema } from '../../chat/tool-specification.ts';
import { isJsonObject, listOf, only, without } from './json-object.ts';

/** A schema that also takes null. */
export function nullable(schema: JsonSchema): JsonSchema {
  if (takesNull(schema)) return schema;
  const union = schema['anyOf'];
  if (Array.isArray(union)) return { ...schema, anyOf: [...(union as unknown[]), { type: 'null' }] };
  const types = [schema['type']].flat();
  const isPlain = schema['const'] === undefined && types.every((type) => typeof type === 'string' && plainTypes.has(type));
  if (isPlain) {
    return {
      ...schema,
      type: [...types, 'null'],
      ...(Array.isArray(schema['enum']) && { enum: [...listOf(schema['enum']), null] }),
    };
  }
  // What tells about the schema stays where a model looks for it.
  return { ...only(schema, outside), anyOf: [without(schema, outside), { type: 'null' }] };
}

const plainTypes = new Set(['string', 'number', 'integer', 'boolean']);
const outside = ['title', 'description'];

function takesNull(schema: JsonSchema): boolean {
  if (schema['const'] !== undefined) return schema['const'] === null;
  if (Array.isArray(schema['enum']) && !schema['enum'].includes(null)) return false;
  if ([schema['type']].flat().includes('null')) return true;
  return listOf(schema['anyOf']).some((branch) => isJsonObject(branch) && takesNull(branch));
}
