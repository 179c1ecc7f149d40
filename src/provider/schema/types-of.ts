import type { JsonSchema } from '../../chat/tool-specification.ts';
import { isJsonObject } from './json-object.ts';

/** Keywords that only one type has, for schemas that leave the type unsaid. */
const telling: readonly (readonly [string, string])[] = [
  ['properties', 'object'],
  ['additionalProperties', 'object'],
  ['patternProperties', 'object'],
  ['propertyNames', 'object'],
  ['required', 'object'],
  ['items', 'array'],
  ['prefixItems', 'array'],
  ['minLength', 'string'],
  ['maxLength', 'string'],
  ['pattern', 'string'],
  ['format', 'string'],
  ['minimum', 'number'],
  ['maximum', 'number'],
  ['exclusiveMinimum', 'number'],
  ['exclusiveMaximum', 'number'],
  ['multipleOf', 'number'],
];

/** The types that values of a schema have: as it says, or as its values and keywords tell; none where it takes anything. */
export function typesOf(schema: JsonSchema): readonly string[] {
  const declared = [schema['type']].flat().filter((type) => typeof type === 'string');
  if (declared.length > 0) return declared;
  const values = valuesOf(schema);
  if (values) return [...new Set(values.map(typeOfValue))];
  const told = telling.find(([keyword]) => schema[keyword] !== undefined);
  return told ? [told[1]] : [];
}

/** The only values that a schema takes, if it lists them. */
export function valuesOf(schema: JsonSchema): readonly unknown[] | undefined {
  if (schema['const'] !== undefined) return [schema['const']];
  return Array.isArray(schema['enum']) ? schema['enum'] : undefined;
}

export function typeOfValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return isJsonObject(value) ? 'object' : typeof value;
}
