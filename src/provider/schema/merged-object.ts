import type { JsonSchema } from '../../chat/tool-specification.ts';
import { flattened } from './flattened.ts';
import { entriesOf, isJsonObject, textsOf } from './json-object.ts';
import { refTargets } from './ref-target.ts';

/** What is left of a schema when it must be one object: all properties that there may be, and those that there always are. */
export interface MergedObject {
  readonly description?: unknown;
  readonly properties: ReadonlyMap<string, unknown>;
  readonly required: readonly string[];
  readonly closed: boolean;
}

/** References in unions can lead to more branches than anyone means. */
const mostBranches = 1000;

/** A schema as one object, with the properties of all its branches; `undefined` when its values are no objects. */
export function mergedObject(root: JsonSchema): MergedObject | undefined {
  const inlined = refTargets(root);
  let branches = 0;
  const merged = (schema: unknown, depth: number): MergedObject | undefined => {
    if (!isJsonObject(schema) || depth > 20 || ++branches > mostBranches) return undefined;
    const flat = flattened(schema, inlined);
    if (typeof flat['$ref'] === 'string') return merged(inlined(flat['$ref']), depth + 1);
    if (Array.isArray(flat['anyOf'])) {
      const objects = flat['anyOf'].map((branch) => merged(branch, depth + 1)).filter((object) => object !== undefined);
      return objects.length === 0 ? undefined : { ...either(objects), description: flat['description'] };
    }
    if (flat['type'] !== undefined && ![flat['type']].flat().includes('object')) return undefined;
    const conditional = [flat['then'], flat['else']].map((branch) => merged(branch, depth + 1));
    return withConditional(
      flat,
      conditional.filter((object) => object !== undefined),
    );
  };
  return merged(root, 0);
}

function withConditional(flat: JsonSchema, branches: readonly MergedObject[]): MergedObject {
  const properties = new Map(entriesOf(flat['properties']));
  for (const [key, schema] of either(branches).properties) {
    properties.set(key, properties.has(key) ? properties.get(key) : schema);
  }
  return {
    description: flat['description'],
    properties,
    required: textsOf(flat['required']),
    closed: flat['additionalProperties'] === false,
  };
}

/** An object that is like one of these. */
function either(objects: readonly MergedObject[]): MergedObject {
  const alternatives = new Map<string, unknown[]>();
  for (const { properties } of objects) {
    for (const [key, schema] of properties) {
      const known = alternatives.get(key);
      if (known) known.push(schema);
      else alternatives.set(key, [schema]);
    }
  }
  const [first, ...others] = objects.map(({ required }) => new Set(required));
  return {
    properties: new Map([...alternatives].map(([key, schemas]) => [key, oneOfThese(schemas)])),
    required: [...(first ?? [])].filter((name) => others.every((names) => names.has(name))),
    closed: objects.every(({ closed }) => closed),
  };
}

/** A schema for what is like one of these; words that stand alone become a list of words. */
function oneOfThese(schemas: readonly unknown[]): unknown {
  const unlike = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  if (unlike.length === 1) return unlike[0];
  const words = unlike.map(wordOf);
  return words.includes(undefined) ? { anyOf: unlike } : { type: 'string', enum: words };
}

function wordOf(schema: unknown): unknown {
  if (!isJsonObject(schema)) return undefined;
  const isWord = Object.keys(schema).every((key) => key === 'type' || key === 'const') && typeof schema['const'] === 'string';
  return isWord ? schema['const'] : undefined;
}
