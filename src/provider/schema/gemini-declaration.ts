import type { JsonSchema } from '../../chat/tool-specification.ts';
import { geminiJsonSchema } from './gemini-json-schema.ts';
import { geminiSchema } from './gemini-schema.ts';
import { objectSchema } from './object-schema.ts';

/** A tool's parameters as Gemini takes them: in its own words, or as JSON Schema where those do not suffice. */
export function geminiDeclaration(
  parameters: JsonSchema,
): { readonly parameters: JsonSchema } | { readonly parametersJsonSchema: JsonSchema } {
  const object = objectSchema(parameters);
  const schema = geminiSchema(object);
  return schema ? { parameters: schema } : { parametersJsonSchema: geminiJsonSchema(object) };
}

/** The schema of an answer as Gemini takes it, in the same two ways. */
export function geminiAnswer(
  schema: JsonSchema,
): { readonly responseSchema: JsonSchema } | { readonly responseJsonSchema: JsonSchema } {
  const responseSchema = geminiSchema(schema);
  return responseSchema ? { responseSchema } : { responseJsonSchema: geminiJsonSchema(schema) };
}
