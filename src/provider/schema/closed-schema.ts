import type { JsonSchema } from '../../chat/tool-specification.ts';

export function closedSchema(schema: JsonSchema): JsonSchema {
  return schema;
}
