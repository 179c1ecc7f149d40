import type { JsonSchema } from '../../chat/tool-specification.ts';
import { isJsonObject } from './json-object.ts';

/** What a reference inside a schema points at; `undefined` when that is nowhere, in another document, or no schema. */
export function refTarget(root: JsonSchema, ref: unknown): JsonSchema | boolean | undefined {
  if (typeof ref !== 'string' || !/^#(\/|$)/.test(ref)) return undefined;
  const target = ref.split('/').slice(1).reduce(step, root);
  return isJsonObject(target) || typeof target === 'boolean' ? target : undefined;
}

/**
 * What references of one schema point at, for those who put it in their place; `undefined` from the ten thousandth on:
 * definitions that each use the next one twice double with every step.
 */
export function refTargets(root: JsonSchema): (ref: string) => JsonSchema | boolean | undefined {
  let left = 10_000;
  return (ref) => (left-- > 0 ? refTarget(root, ref) : undefined);
}

/** The last step of a reference, as it reads in the schema. */
export function lastStepOf(ref: string): string {
  return unescaped(ref.slice(ref.lastIndexOf('/') + 1));
}

function step(holder: unknown, escaped: string): unknown {
  const key = unescaped(escaped);
  return typeof holder === 'object' && holder !== null && Object.hasOwn(holder, key)
    ? (holder as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

function unescaped(text: string): string {
  return percentDecoded(text).replaceAll('~1', '/').replaceAll('~0', '~');
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
