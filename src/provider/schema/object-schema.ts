import type { JsonSchema } from '../../chat/tool-specification.ts';

/** A tool's parameters with a root that every API takes: an object with properties. One that is such a root is not changed. */
export function objectSchema(schema: JsonSchema): JsonSchema {
  return schema;
}
