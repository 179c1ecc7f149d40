import type { JsonSchema } from '../../chat/tool-specification.ts';
import { entriesOf, isJsonObject, listOf, textsOf } from './json-object.ts';
import { sameJson } from './same-json.ts';

/**
 * One schema for what two demand. Where only one of two values can stand, that of the first does: it demands less than both
 * together, and what a model writes is checked against the whole schema.
 */
export function both(first: JsonSchema, second: JsonSchema): JsonSchema {
  const joined = new Map(Object.entries(first));
  for (const [keyword, value] of Object.entries(second)) {
    const before = joined.get(keyword);
    joined.set(keyword, joined.has(keyword) ? (joins.get(keyword)?.(before, value) ?? before) : value);
  }
  return Object.fromEntries(joined);
}

/** How two values of one keyword become one. */
const joins: ReadonlyMap<string, (a: unknown, b: unknown) => unknown> = new Map([
  ['properties', bothProperties],
  ['required', (a, b) => [...new Set([...textsOf(a), ...textsOf(b)])]],
  ['type', bothTypes],
  ['enum', (a, b) => nonEmpty(listOf(a).filter((value) => listOf(b).some((other) => sameJson(value, other))))],
  // Each of the one with each of the other.
  ['anyOf', (a, b) => listOf(a).map((branch) => ({ allOf: [branch, { anyOf: b }] }))],
  ['additionalProperties', (a, b) => (a === false || b === false ? false : isJsonObject(a) ? a : b)],
  ['items', bothSchemas],
]);

function bothProperties(a: unknown, b: unknown): JsonSchema {
  const properties = new Map(entriesOf(a));
  for (const [key, schema] of entriesOf(b)) {
    properties.set(key, properties.has(key) ? bothSchemas(properties.get(key), schema) : schema);
  }
  return Object.fromEntries(properties);
}

function bothSchemas(a: unknown, b: unknown): unknown {
  if (sameJson(a, b) || b === true) return a;
  return a === true ? b : { allOf: [a, b] };
}

function bothTypes(a: unknown, b: unknown): unknown {
  const types = [a].flat().flatMap((type) => commonTypes(type, [b].flat()));
  return types.length === 1 ? types[0] : nonEmpty(types);
}

function commonTypes(type: unknown, others: readonly unknown[]): readonly unknown[] {
  if (others.includes(type)) return [type];
  if (type === 'number' && others.includes('integer')) return ['integer'];
  return type === 'integer' && others.includes('number') ? [type] : [];
}

function nonEmpty(list: readonly unknown[]): readonly unknown[] | undefined {
  return list.length > 0 ? list : undefined;
}
