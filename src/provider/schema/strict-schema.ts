import type { JsonSchema } from '../../chat/tool-specification.ts';

export function strictSchema(schema: JsonSchema, optionals: 'nullable' | 'refused' = 'nullable'): JsonSchema | undefined {
  return optionals === 'refused' ? schema : undefined;
}
