import type { JsonSchema } from '../../chat/tool-specification.ts';

export function geminiSchema(schema: JsonSchema): JsonSchema | undefined {
  return schema;
}
