import type { JsonSchema } from '../../chat/tool-specification.ts';
import { onceFor } from '../once-for.ts';
import { annotations } from './flattened.ts';
import { isJsonObject, without } from './json-object.ts';
import { refsIn } from './ref-graph.ts';
import { refTarget } from './ref-target.ts';
import { soundSchema } from './sound-schema.ts';
import { withSubschemas } from './subschemas.ts';

/** References can make a large schema of a small one. */
const mostSchemas = 10_000;
const deepest = 100;

/**
 * The schema with what its references point at in their places, and without definitions; `undefined` when it holds itself,
 * or would become too large. One without references is not changed.
 */
export const inlinedRefs = onceFor((schema: JsonSchema): JsonSchema | undefined => {
  const sound = soundSchema(schema);
  if (refsIn(sound).length === 0 && !('$defs' in sound) && !('definitions' in sound)) return sound;
  let schemas = 0;
  let isFinite = true;
  const inlined = (value: unknown, open: ReadonlySet<string>, depth: number): unknown => {
    if (!isJsonObject(value) || !isFinite) return value;
    if (++schemas > mostSchemas || depth > deepest) {
      isFinite = false;
      return {};
    }
    const { $ref } = value;
    if (typeof $ref === 'string') return target($ref, value, open, depth);
    return withSubschemas(without(value, ['$defs', 'definitions']), (inner) => inlined(inner, open, depth + 1));
  };
  const target = ($ref: string, value: JsonSchema, open: ReadonlySet<string>, depth: number): unknown => {
    if (open.has($ref)) isFinite = false;
    const beside = inlined(without(value, ['$ref']), open, depth + 1);
    const pointed = inlined(refTarget(sound, $ref), new Set([...open, $ref]), depth + 1);
    return together(pointed, beside);
  };
  const whole = inlined(sound, new Set(), 0);
  return isFinite && isJsonObject(whole) ? whole : undefined;
});

/** What a reference points at and what stands beside the reference, in one schema. */
function together(pointed: unknown, beside: unknown): unknown {
  if (!isJsonObject(beside) || Object.keys(beside).length === 0) return pointed;
  if (!isJsonObject(pointed)) return pointed === false ? false : beside;
  const isClash = Object.keys(beside).some((key) => key in pointed && !annotations.includes(key));
  return isClash ? { allOf: [pointed, beside] } : { ...pointed, ...beside };
}
