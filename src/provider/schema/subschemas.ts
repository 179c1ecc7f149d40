import type { JsonSchema } from '../../chat/tool-specification.ts';
import { entriesOf, isJsonObject, listOf } from './json-object.ts';

/** In which keywords a schema holds others: each value of an object, each member of a list, or one. */
export const placesOfSchemas: ReadonlyMap<string, 'each value' | 'each member' | 'one'> = new Map([
  ['properties', 'each value'],
  ['patternProperties', 'each value'],
  ['dependentSchemas', 'each value'],
  ['$defs', 'each value'],
  ['definitions', 'each value'],
  ['anyOf', 'each member'],
  ['oneOf', 'each member'],
  ['allOf', 'each member'],
  ['prefixItems', 'each member'],
  ['items', 'one'],
  ['additionalProperties', 'one'],
  ['propertyNames', 'one'],
  ['contains', 'one'],
  ['not', 'one'],
  ['if', 'one'],
  ['then', 'one'],
  ['else', 'one'],
  ['unevaluatedItems', 'one'],
  ['unevaluatedProperties', 'one'],
  ['contentSchema', 'one'],
]);

/** The schema with each of those that it holds changed; the same object when none is. */
export function withSubschemas(schema: JsonSchema, change: (subschema: unknown) => unknown): JsonSchema {
  return withEntries(schema, (keyword, value) => {
    switch (placesOfSchemas.get(keyword)) {
      case 'each value':
        return isJsonObject(value) ? withEntries(value, (_, inner) => change(inner)) : value;
      case 'each member':
        return Array.isArray(value) ? withMembers(value, change) : value;
      case 'one':
        return change(value);
      default:
        return value;
    }
  });
}

/** The schemas that one holds, without its definitions: those count only where they are pointed at. */
export function usedSubschemas(schema: JsonSchema): readonly unknown[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (keyword === '$defs' || keyword === 'definitions') return [];
    switch (placesOfSchemas.get(keyword)) {
      case 'each value':
        return entriesOf(value).map(([, inner]) => inner);
      case 'each member':
        return listOf(value);
      case 'one':
        return [value];
      default:
        return [];
    }
  });
}

/** The object with each value changed, and without those that become `undefined`; the same object when nothing changes. */
export function withEntries(object: JsonSchema, change: (key: string, value: unknown) => unknown): JsonSchema {
  let changed = false;
  const entries = Object.entries(object).flatMap(([key, value]) => {
    const now = change(key, value);
    changed ||= now !== value || now === undefined;
    return now === undefined ? [] : [[key, now] as const];
  });
  return changed ? Object.fromEntries(entries) : object;
}

function withMembers(list: readonly unknown[], change: (member: unknown) => unknown): readonly unknown[] {
  const changed = list.map(change);
  return changed.some((member, i) => member !== list[i]) ? changed : list;
}
