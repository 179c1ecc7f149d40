import type { JsonSchema, ToolSpecification } from '../../chat/tool-specification.ts';
import { objectSchema } from '../schema/object-schema.ts';
import { strictSchema } from '../schema/strict-schema.ts';
import { wireName } from '../wire-name.ts';

/** A tool as OpenAI's APIs take it: strict where that is asked for and its parameters have a strict form. */
export function functionTool(
  { name, description, parameters }: ToolSpecification,
  strict: boolean,
): Readonly<Record<string, unknown>> {
  const strictParameters = strict ? strictSchema(parameters) : undefined;
  if (strict && !strictParameters)
    warnOnce(parameters, `tool ${name}: its parameters have no strict form, such as records and open objects; it is not strict.`);
  return {
    name: wireName(name),
    ...(description !== undefined && { description }),
    parameters: strictParameters ?? objectSchema(parameters),
    ...(strict && { strict: strictParameters !== undefined }),
  };
}

/** The schema of an answer. An optional property has no strict form here: it would come as null, which the schema does not allow. */
export function schemaFormat(name = 'response', schema: JsonSchema, strict: boolean): Readonly<Record<string, unknown>> {
  const strictForm = strict ? strictSchema(schema, 'refused') : undefined;
  if (strict && !strictForm)
    warnOnce(schema, `the schema of the answer has no strict form, such as optional properties and records; it is not strict.`);
  return { name: wireName(name), schema: strictForm ?? schema, ...(strict && { strict: strictForm !== undefined }) };
}

const warnedOf = new WeakSet<JsonSchema>();

function warnOnce(schema: JsonSchema, what: string): void {
  if (warnedOf.has(schema)) return;
  warnedOf.add(schema);
  console.warn(`openai: ${what}`);
}
