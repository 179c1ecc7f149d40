import type { JsonSchema } from '../../chat/tool-specification.ts';

const warnedOf = new WeakSet<JsonSchema>();

/** Tells what is wrong with a schema: once, however often it is sent. */
export function warnOnce(schema: JsonSchema, what: string): void {
  if (warnedOf.has(schema)) return;
  warnedOf.add(schema);
  console.warn(`openai: ${what}`);
}
