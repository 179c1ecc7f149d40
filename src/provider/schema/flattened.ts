import type { JsonSchema } from '../../chat/tool-specification.ts';
import { both } from './both.ts';
import { isJsonObject, listOf, only, without } from './json-object.ts';

/** What tells about a schema and demands nothing of a value. */
export const annotations = ['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly', '$comment'];

/** What a branch of a union may say without that its values get another shape. */
const narrowing = ['required', 'not', 'minProperties', 'maxProperties', 'dependentRequired', ...annotations];

/** They say nothing here: how references are found is decided where they are followed. */
const unusedHere = ['$defs', 'definitions', '$schema'];

/** References that lead to references: more of them are an accident. */
export const longestChain = 30;

/** What a reference points at; `undefined` where that can't stand in its place. */
type Inlined = (ref: string) => unknown;

/**
 * The same schema with one kind of structure at a time: a reference alone, or a union with nothing beside it but annotations,
 * or types with their keywords. Only the schema itself is flattened, those that it holds are not yet.
 */
export function flattened(schema: JsonSchema, inlined: Inlined): JsonSchema {
  const flat = folded(schema, inlined, new Set());
  const union = flat['anyOf'];
  if (!Array.isArray(union)) return flat;
  const shared = without(flat, ['anyOf', ...annotations]);
  if (Object.keys(shared).length === 0) return flat;
  if (union.every((branch) => isJsonObject(branch) && Object.keys(branch).every((key) => narrowing.includes(key)))) {
    return without(flat, ['anyOf']);
  }
  // What all branches share stands in each.
  return { ...only(flat, annotations), anyOf: union.map((branch: unknown) => ({ allOf: [branch, shared] })) };
}

/** The schema without `allOf`, `oneOf` and references that have something beside them. */
function folded(schema: JsonSchema, inlined: Inlined, passed: ReadonlySet<string>): JsonSchema {
  const { allOf, oneOf, $ref, ...own } = without(schema, unusedHere);
  const members = listOf(allOf)
    .filter(isJsonObject)
    .map((member) => folded(member, inlined, passed));
  const parts = [own, ...(oneOf === undefined ? [] : [{ anyOf: oneOf }]), ...($ref === undefined ? [] : [{ $ref }]), ...members];
  const telling = parts.filter((part) => Object.keys(part).length > 0);
  if (telling.length < 2) return telling[0] ?? {};
  const whole = telling.map((part) => withTarget(part, inlined, passed));
  // What can't be inlined stands alone.
  return whole.find((part) => part['$ref'] !== undefined) ?? whole.reduce(both);
}

/** What a reference points at, in its place. */
function withTarget(part: JsonSchema, inlined: Inlined, passed: ReadonlySet<string>): JsonSchema {
  const { $ref } = part;
  if (typeof $ref !== 'string' || passed.has($ref) || passed.size >= longestChain) return part;
  const target = inlined($ref);
  if (!isJsonObject(target)) return part;
  const end = folded(target, inlined, new Set([...passed, $ref]));
  return withTarget(end, inlined, new Set([...passed, $ref]));
}
