import type { JsonSchema } from '../../chat/tool-specification.ts';
import { onceFor } from '../once-for.ts';
import { isJsonObject, listOf, without } from './json-object.ts';
import { isPortablePattern } from './patterns.ts';
import { refTarget } from './ref-target.ts';
import { modernised, soundKeywords } from './sound-keywords.ts';
import { placesOfSchemas, withEntries, withSubschemas } from './subschemas.ts';

/** Servers read about as many levels; what lies below is left out, and checked by us alone. */
const deepest = 100;

/**
 * A schema in which every keyword has a value that it can have, as servers that check schemas demand: one slip in one tool
 * would fail a request for all. What means nothing is left out, what an older draft wrote is in today's words, and a reference
 * to nowhere is gone. A schema without slips is not changed.
 */
export const soundSchema = onceFor((schema: JsonSchema): JsonSchema => {
  // Objects may hold themselves where a library has resolved the references.
  const known = new Map<JsonSchema, JsonSchema>();
  const soundAt = (value: unknown, depth: number): JsonSchema | boolean => {
    if (typeof value === 'boolean') return value;
    if (!isJsonObject(value) || depth > deepest) return {};
    const before = known.get(value);
    if (before) return before;
    known.set(value, {});
    const sound = soundNode(value, (inner) => soundAt(inner, depth + 1));
    known.set(value, sound);
    return sound;
  };
  const shaped = soundAt(schema, 0);
  return typeof shaped === 'boolean' ? {} : withoutDanglingRefs(shaped);
});

/** The schema without references to nowhere, in circles, or into other documents. */
export function withoutDanglingRefs(root: JsonSchema): JsonSchema {
  const known = new Map<string, boolean>();
  const leadsSomewhere = (first: string): boolean => {
    const passed = new Set<string>();
    let ref: unknown = first;
    let leads = true;
    while (typeof ref === 'string' && leads && !known.get(ref)) {
      leads = !passed.has(ref) && known.get(ref) !== false;
      passed.add(ref);
      const target = refTarget(root, ref);
      leads &&= target !== undefined;
      ref = isJsonObject(target) ? target['$ref'] : undefined;
    }
    for (const one of passed) known.set(one, leads);
    return leads;
  };
  const mended = (value: JsonSchema): JsonSchema => {
    const schema = withSubschemas(value, (inner) => (isJsonObject(inner) ? mended(inner) : inner));
    const ref = schema['$ref'];
    return typeof ref !== 'string' || leadsSomewhere(ref) ? schema : without(schema, ['$ref']);
  };
  return mended(root);
}

function soundNode(value: JsonSchema, soundInner: (inner: unknown) => JsonSchema | boolean): JsonSchema {
  const modern = modernised(value);
  const node = withEntries(modern, (keyword, of) => {
    const mend = soundKeywords.get(keyword);
    if (mend) return mend(of);
    switch (placesOfSchemas.get(keyword)) {
      case 'each value':
        return isJsonObject(of) ? withEntries(of, (key, inner) => soundEntry(keyword, key, inner, soundInner)) : undefined;
      case 'each member':
        return soundMembers(of, soundInner);
      case 'one':
        return isJsonObject(of) || typeof of === 'boolean' ? soundInner(of) : undefined;
      default:
        return of;
    }
  });
  // Arrays of anything must say so.
  const isBareArray = [node['type']].flat().includes('array') && node['items'] === undefined;
  return isBareArray ? { ...node, items: {} } : node;
}

function soundEntry(
  keyword: string,
  key: string,
  inner: unknown,
  soundInner: (inner: unknown) => JsonSchema | boolean,
): JsonSchema | boolean | undefined {
  return keyword === 'patternProperties' && !isPortablePattern(key) ? undefined : soundInner(inner);
}

function soundMembers(of: unknown, soundInner: (inner: unknown) => JsonSchema | boolean): unknown {
  const members = listOf(of).filter((member) => isJsonObject(member) || typeof member === 'boolean');
  if (members.length === 0) return undefined;
  const sound = members.map(soundInner);
  const isSame = sound.length === listOf(of).length && sound.every((member, i) => member === listOf(of)[i]);
  return isSame ? of : sound;
}
