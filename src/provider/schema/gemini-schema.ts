import type { JsonSchema } from '../../chat/tool-specification.ts';
import { onceFor } from '../once-for.ts';
import { flattened } from './flattened.ts';
import { geminiKeywords, narrowedTo } from './gemini-keywords.ts';
import { inlinedRefs } from './inlined-refs.ts';
import { entriesOf, isJsonObject, listOf, only, textsOf } from './json-object.ts';
import { sameJson } from './same-json.ts';
import { toldBounds } from './told-bounds.ts';
import { typesOf, valuesOf } from './types-of.ts';

const mostSchemas = 10_000;
const deepest = 60;

/**
 * A schema in the words of Gemini's `Schema`, a part of OpenAPI's; `undefined` when that has no words for it: for what holds
 * itself, for records and objects without properties, for values of any type and for tuples.
 */
export const geminiSchema = onceFor((schema: JsonSchema): JsonSchema | undefined => {
  const whole = inlinedRefs(schema);
  if (!whole) return undefined;
  let hasForm = true;
  let schemas = 0;

  const noForm = (): JsonSchema => {
    hasForm = false;
    return {};
  };

  const formOf = (value: unknown, depth: number): JsonSchema => {
    if (!isJsonObject(value) || !hasForm || ++schemas > mostSchemas || depth > deepest) return noForm();
    const flat = flattened(value, () => undefined);
    if (flat['anyOf'] !== undefined) return unionForm(flat, listOf(flat['anyOf']), depth);
    const types = typesOf(flat);
    const valueTypes = types.filter((type) => type !== 'null');
    const [type, ...others] = valueTypes;
    if (type === undefined) return noForm();
    if (others.length > 0)
      return unionForm(
        {},
        types.map((one) => narrowedTo(one, flat)),
        depth,
      );
    const isNullable = types.length > valueTypes.length && valuesOf(flat)?.includes(null) !== false;
    return {
      ...geminiKeywords(flat, type, isNullable),
      ...(type === 'array' && arrayForm(flat, depth)),
      ...(type === 'object' && objectForm(flat, depth)),
    };
  };

  /** A union stands alone: what is said about it, and that it may be null, is said of its branches. */
  const unionForm = (about: JsonSchema, branches: readonly unknown[], depth: number): JsonSchema => {
    const isNullable = branches.some(isNull);
    const values = branches.filter((branch) => branch !== false && !isNull(branch));
    const forms = values.map((branch) => formOf(branch, depth + 1));
    const said = toldBounds(only(about, ['description', 'default']), () => false);
    const told = forms.flatMap(branchesOf).map((form) => {
      const description = [said, form['description']].filter((text) => typeof text === 'string').join(' ');
      return { ...form, ...(description && { description }), ...(isNullable && { nullable: true }) };
    });
    const [single, ...others] = told;
    if (!single) return noForm();
    return others.length > 0 ? { anyOf: told } : single;
  };

  const arrayForm = ({ items, prefixItems }: JsonSchema, depth: number): JsonSchema =>
    prefixItems === undefined ? { items: formOf(items, depth + 1) } : noForm();

  const objectForm = ({ properties, required }: JsonSchema, depth: number): JsonSchema => {
    const forms = entriesOf(properties).map(([key, inner]) => [key, formOf(inner, depth + 1)] as const);
    if (forms.length === 0) return noForm();
    const names = textsOf(required).filter((name) => forms.some(([key]) => key === name));
    return { properties: Object.fromEntries(forms), ...(names.length > 0 && { required: names }) };
  };

  const form = formOf(whole, 0);
  if (!hasForm) return undefined;
  return sameJson(form, schema) ? schema : form;
});

function branchesOf(form: JsonSchema): readonly JsonSchema[] {
  return Array.isArray(form['anyOf']) ? form['anyOf'].filter(isJsonObject) : [form];
}

function isNull(schema: unknown): boolean {
  return isJsonObject(schema) && (schema['type'] === 'null' || schema['const'] === null);
}
