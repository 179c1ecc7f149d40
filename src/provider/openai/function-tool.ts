import type { JsonSchema, ToolSpecification } from '../../chat/tool-specification.ts';
import { objectSchema } from '../schema/object-schema.ts';
import { soundSchema } from '../schema/sound-schema.ts';
import { strictForm } from '../schema/strict-form.ts';
import { wireName } from '../wire-name.ts';

/** A tool as OpenAI's APIs take it: strict where that is asked for and its parameters have a strict form. */
export function functionTool(
  { name, description, parameters }: ToolSpecification,
  strict: boolean,
): Readonly<Record<string, unknown>> {
  const form = strict ? strictForm(parameters) : undefined;
  if (form && !form.schema) {
    warnOnce(parameters, `tool ${name} is declared without strict, since ${form.why}; its arguments are checked all the same.`);
  }
  return {
    name: wireName(name),
    ...(description !== undefined && { description }),
    parameters: form?.schema ?? objectSchema(parameters),
    ...(form && { strict: form.schema !== undefined }),
  };
}

/** The schema of an answer. An optional property has no strict form here: it would come as null, which the schema does not allow. */
export function schemaFormat(name = 'response', schema: JsonSchema, strict: boolean): Readonly<Record<string, unknown>> {
  const form = strict ? strictForm(schema, 'refused') : undefined;
  if (form && !form.schema) warnOnce(schema, `the answer's schema ${name} is sent without strict, since ${form.why}.`);
  return {
    name: wireName(name),
    schema: form?.schema ?? soundSchema(schema),
    ...(form && { strict: form.schema !== undefined }),
  };
}

const warnedOf = new WeakSet<JsonSchema>();

function warnOnce(schema: JsonSchema, what: string): void {
  if (warnedOf.has(schema)) return;
  warnedOf.add(schema);
  console.warn(`openai: ${what}`);
}
