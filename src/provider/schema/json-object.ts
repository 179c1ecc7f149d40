import { isObject } from '../../chat/is-object.ts';
import type { JsonSchema } from '../../chat/tool-specification.ts';

/** Whether a JSON value is an object: what a schema is, if it is not `true` or `false`. */
export function isJsonObject(value: unknown): value is JsonSchema {
  return isObject(value);
}

/** The entries of an object, none of all else. */
export function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

/** The texts of a list, such as the names of the properties that are required. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The members of a list, none of all else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The object without some of its keys. */
export function without(object: JsonSchema, keys: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** Those of the object's keys that are named and there. */
export function only(object: JsonSchema, keys: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(object).filter(([key]) => keys.includes(key)));
}
