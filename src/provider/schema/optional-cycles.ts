import type { JsonSchema } from '../../chat/tool-specification.ts';
import { entriesOf, isJsonObject, textsOf } from './json-object.ts';
import { refGraph, refsIn } from './ref-graph.ts';
import { withSubschemas } from './subschemas.ts';

/** A schema that may hold itself only where it need not: properties that lead back are no longer required. */
export function optionalCycles(root: JsonSchema): JsonSchema {
  const { reaches } = refGraph(root);
  const freed = (schema: unknown, at: string): unknown => {
    if (!isJsonObject(schema)) return schema;
    const inner = withSubschemas(schema, (value) => freed(value, at));
    const names = textsOf(inner['required']);
    const leadsBack = (name: string): boolean => {
      const property = isJsonObject(inner['properties']) ? inner['properties'][name] : undefined;
      return refsIn(property).some((ref) => ref === at || reaches(ref, at));
    };
    const kept = names.filter((name) => !leadsBack(name));
    return kept.length === names.length ? inner : { ...inner, required: kept };
  };
  const definitions = entriesOf(root['$defs']).map(([name, schema]) => [name, freed(schema, `#/$defs/${name}`)] as const);
  return definitions.length > 0 ? { ...root, $defs: Object.fromEntries(definitions) } : root;
}
