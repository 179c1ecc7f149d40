import type { JsonSchema } from '../../chat/tool-specification.ts';
import { onceFor } from '../once-for.ts';
import { isJsonObject, without } from './json-object.ts';
import { mergedObject } from './merged-object.ts';
import { soundSchema, withoutDanglingRefs } from './sound-schema.ts';

/** What no API takes at the root of a tool's parameters. */
const refusedAtRoot = ['$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const', 'not', 'if', 'then', 'else'];

/**
 * A tool's parameters with a root that every API takes: an object with properties. One that is such a root is not changed.
 * The branches of a root that has some are told as one object; arguments are checked against the whole schema all the same.
 */
export const objectSchema = onceFor((schema: JsonSchema): JsonSchema => {
  const sound = soundSchema(schema);
  return hasObjectRoot(sound) ? sound : withObjectRoot(sound);
});

/** Whether the root is an object and nothing beside it. */
function hasObjectRoot(schema: JsonSchema): boolean {
  return schema['type'] === 'object' && isJsonObject(schema['properties']) && !refusedAtRoot.some((key) => key in schema);
}

function withObjectRoot(sound: JsonSchema): JsonSchema {
  const merged = mergedObject(sound);
  // The rest would tell about a root that is no longer there.
  const kept = without(sound, [...refusedAtRoot, 'type', 'properties', 'required', ...(merged ? [] : ['items', 'prefixItems'])]);
  const description = sound['description'] ?? merged?.description;
  return withoutDanglingRefs({
    type: 'object',
    ...kept,
    ...(description !== undefined && { description }),
    properties: Object.fromEntries(merged?.properties ?? []),
    ...(merged && merged.required.length > 0 && { required: merged.required }),
    ...(merged?.closed && { additionalProperties: false }),
  });
}
