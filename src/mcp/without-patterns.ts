import { isObject } from '../chat/is-object.ts';

/** Where the keys are names and not keywords. */
const maps: readonly string[] = ['properties', '$defs', 'definitions', 'dependentSchemas'];
/** Where there are values and no schemas. */
const values: readonly string[] = ['const', 'enum', 'default', 'examples'];

/**
 * A schema without regular expressions. Those of a foreign server are not run here: one that backtracks without end would stop
 * everything, and the server looks at its arguments itself.
 */
export function withoutPatterns<T>(schema: T, isMap = false): T {
  if (Array.isArray(schema)) return schema.map((inner: unknown) => withoutPatterns(inner)) as T;
  if (!isObject(schema)) return schema;
  // What fits a pattern would be one of the others.
  const dropped = 'patternProperties' in schema ? ['pattern', 'patternProperties', 'additionalProperties'] : ['pattern'];
  const kept = Object.entries(schema).filter(([key]) => isMap || !dropped.includes(key));
  const inner = kept.map(([key, value]) => {
    if (isMap) return [key, withoutPatterns(value)] as const;
    return [key, values.includes(key) ? value : withoutPatterns(value, maps.includes(key))] as const;
  });
  return Object.fromEntries(inner) as T;
}
