import type { JsonSchema } from '../../chat/tool-specification.ts';
import { soundSchema } from '../schema/sound-schema.ts';
import { strictForm } from '../schema/strict-form.ts';
import { wireName } from '../wire-name.ts';
import { warnOnce } from './warn-once.ts';

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
