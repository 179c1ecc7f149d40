import type { JsonSchema } from '../../chat/tool-specification.ts';
import { inlinedRefs } from '../schema/inlined-refs.ts';
import { objectSchema } from '../schema/object-schema.ts';

/**
 * A tool's parameters as the server takes them. It reads them into types of its own: a keyword that does not fit these
 * makes it refuse the whole request, and one that is not among them, such as `$ref`, `const` and `oneOf`, is lost on the model.
 */
export function toolParameters(parameters: JsonSchema): JsonSchema {
  return fitting(objectSchema(inlinedRefs(parameters) ?? parameters));
}

/** What the server takes under a keyword; what makes no sense to it is left out. */
const forms: Readonly<Record<string, (value: unknown) => unknown>> = {
  type: (value) => (typeof value === 'string' || isTexts(value) ? value : undefined),
  description: (value) => (typeof value === 'string' ? value : undefined),
  required: (value) => (isTexts(value) ? value : undefined),
  enum: (value) => (Array.isArray(value) ? value : undefined),
  anyOf: (value) => (Array.isArray(value) ? value.map(fitting) : undefined),
  properties: (value) =>
    isSchema(value) ? Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, fitting(schema)])) : undefined,
};

function fitting(schema: unknown): JsonSchema {
  // `true`, which allows everything.
  if (!isSchema(schema)) return {};
  const known = {
    ...(schema['const'] !== undefined && { enum: [schema['const']] }),
    ...(schema['oneOf'] !== undefined && { anyOf: schema['oneOf'] }),
    ...schema,
  };
  const entries = Object.entries(known).map(([keyword, value]) => {
    return [keyword, Object.hasOwn(forms, keyword) ? forms[keyword]!(value) : value] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
