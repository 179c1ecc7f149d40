import type { JsonSchema } from '../../chat/tool-specification.ts';
import type { Dialect, DialectForm } from './dialect.ts';
import { flattened } from './flattened.ts';
import { entriesOf, isJsonObject, listOf, textsOf } from './json-object.ts';
import { keptKeywords } from './kept-keywords.ts';
import { nullable } from './nullable.ts';
import { refDefinitions } from './ref-definitions.ts';
import { refGraph } from './ref-graph.ts';
import { lastStepOf, refTarget, refTargets } from './ref-target.ts';
import { sameJson } from './same-json.ts';
import { withoutDanglingRefs } from './sound-schema.ts';
import { typesOf, valuesOf } from './types-of.ts';

/** Unions of unions can multiply: a schema with more parts than this is no help to a model. */
const mostSchemas = 10_000;
const deepest = 100;

/** A sound schema in a provider's dialect; the same object when it is in it already. An open dialect has a form of every schema. */
export function dialectForm(root: JsonSchema, dialect: Dialect): DialectForm {
  const graph = refGraph(root);
  const definitions = refDefinitions();
  const targetOf = refTargets(root);
  const inlined = (ref: string): unknown => (graph.reaches(ref, ref) ? undefined : targetOf(ref));
  // The first thing that a closed dialect can't say.
  let why: string | undefined;
  let schemas = 0;

  /** An open dialect says nothing of what it can't describe. */
  const anything = (path: string, reason: string): JsonSchema => {
    if (dialect.closed) why ??= `${path || 'the schema'} ${reason}`;
    return {};
  };

  const formOf = (value: unknown, path: string, depth: number): JsonSchema => {
    if (why !== undefined) return {};
    if (++schemas > mostSchemas || depth > deepest) return anything('', 'is too large or too deep');
    if (!isJsonObject(value)) return anything(path, value === false ? 'takes no value' : 'takes any value');
    const flat = flattened(value, inlined);
    if (typeof flat['$ref'] === 'string') return refForm(flat['$ref'], path);
    const types = typesOf(flat);
    if (types.length === 0 && flat['anyOf'] === undefined) anything(path, 'takes any value');
    if (valuesOf(flat)?.some((one) => typeof one === 'object' && one !== null)) anything(path, 'takes certain objects or lists');
    return {
      ...keptKeywords(flat, dialect),
      ...(flat['anyOf'] !== undefined && unionForm(flat['anyOf'], path, depth)),
      ...(types.includes('array') && arrayForm(flat, path, depth)),
      ...(types.includes('object') && objectForm(flat, path, depth)),
    };
  };

  const refForm = (ref: string, path: string): JsonSchema => {
    if (!dialect.recursion && graph.reaches(ref, ref)) return anything(path, 'may hold itself');
    return { $ref: ref === '#' && dialect.rootRef ? ref : definitions.refTo(ref) };
  };

  const unionForm = (union: unknown, path: string, depth: number): JsonSchema => {
    const branches = listOf(union).filter((branch) => branch !== false);
    if (branches.length === 0) return anything(path, 'takes no value');
    return { anyOf: branches.map((branch) => formOf(branch, path, depth + 1)) };
  };

  const arrayForm = ({ items, prefixItems }: JsonSchema, path: string, depth: number): JsonSchema => {
    const isTuple = prefixItems !== undefined;
    if (isTuple && !dialect.tuples) return anything(path, 'is a list with a type for each place');
    return {
      ...(isTuple && { prefixItems: listOf(prefixItems).map((place, i) => formOf(place, `${path}[${i}]`, depth + 1)) }),
      // Whether something may follow the last place is nothing that a model needs to know.
      ...(!(isTuple && typeof items === 'boolean') && { items: formOf(items, `${path}[]`, depth + 1) }),
    };
  };

  const objectForm = (flat: JsonSchema, path: string, depth: number): JsonSchema => {
    const { properties, additionalProperties: further } = flat;
    if (isOpen(flat) || !isJsonObject(properties)) anything(path, 'takes further properties');
    const forms = entriesOf(properties).map(([key, schema]) => [key, formOf(schema, joined(path, key), depth + 1)] as const);
    return {
      // A record has no properties, and what is neither a record nor has some must say that it has none.
      ...((dialect.closed || forms.length > 0 || !isJsonObject(further)) &&
        propertiesForm(forms, new Set(textsOf(flat['required'])), path)),
      ...(dialect.closed && { additionalProperties: false }),
      ...(!dialect.closed && isJsonObject(further) && { additionalProperties: formOf(further, joined(path, '*'), depth + 1) }),
      ...(!dialect.closed && typeof further === 'boolean' && { additionalProperties: further }),
    };
  };

  const propertiesForm = (forms: readonly (readonly [string, JsonSchema])[], always: ReadonlySet<string>, path: string) => {
    const { optionals } = dialect;
    const names = forms.map(([key]) => key);
    const optional = names.find((key) => !always.has(key));
    if (optional !== undefined && optionals === 'refused') anything(joined(path, optional), 'is optional');
    if (names.filter((key) => always.has(key)).length < always.size) anything(path, 'requires what it does not describe');
    const isNullable = (key: string): boolean => optionals === 'nullable' && !always.has(key);
    const required = names.filter((key) => always.has(key) || isNullable(key));
    return {
      properties: Object.fromEntries(forms.map(([key, form]) => [key, isNullable(key) ? nullable(form) : form])),
      // A closed dialect wants the list even where it is empty.
      ...((required.length > 0 || dialect.closed) && { required }),
    };
  };

  const form = formOf(root, '', 0);
  const formed = definitions.formed((ref) => formOf(refTarget(root, ref), lastStepOf(ref), 0));
  // What points only at itself, once all that stood beside the reference is gone.
  const pointed = formed ? { ...form, $defs: formed } : form;
  const whole = withoutDanglingRefs(pointed);
  if (whole !== pointed) anything('', 'points at itself');
  if (why !== undefined) return { why };
  return { schema: sameJson(whole, root) ? root : whole };
}

/** Whether an object may have properties that are not among its own, always or on conditions. */
function isOpen(schema: JsonSchema): boolean {
  const { additionalProperties: further = false, unevaluatedProperties: others = false } = schema;
  return further !== false || others !== false || conditional.some((keyword) => schema[keyword] !== undefined);
}

const conditional = ['patternProperties', 'dependentSchemas', 'then', 'else'];

function joined(path: string, key: string): string {
  return path ? `${path}.${key}` : key;
}
