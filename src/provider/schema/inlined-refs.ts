import type { JsonSchema } from '../../chat/tool-specification.ts';

export function inlinedRefs(schema: JsonSchema): JsonSchema | undefined {
  return schema;
}
