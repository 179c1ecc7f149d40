import type { ToolSpecification } from '../../chat/tool-specification.ts';
import { objectSchema } from '../schema/object-schema.ts';
import { strictForm } from '../schema/strict-form.ts';
import { wireName } from '../wire-name.ts';
import { warnOnce } from './warn-once.ts';

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
