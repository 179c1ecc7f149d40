import type { JsonSchema } from '../../chat/tool-specification.ts';
import { entriesOf, isJsonObject } from './json-object.ts';
import { usedSubschemas } from './subschemas.ts';
import { valuesOf } from './types-of.ts';

/** How large a schema may be in OpenAI's strict mode. */
const limits = {
  levels: 10,
  properties: 5000,
  values: 1000,
  /** Letters in names of properties and definitions, and in values. */
  letters: 120_000,
  /** Letters in the values of one list that has more of them than so many. */
  lettersOfLongList: 15_000,
  longList: 250,
};

/** Which limit of strict mode a schema is beyond; `undefined` when it is within all. */
export function beyondStrictLimits(schema: JsonSchema): string | undefined {
  const count = { properties: 0, values: 0, letters: 0 };
  const definitions = entriesOf(schema['$defs']);
  count.letters += lettersIn(definitions.map(([name]) => name));
  let levels = 0;
  let longList = 0;
  const visit = (value: unknown, above: number): void => {
    if (!isJsonObject(value)) return;
    const names = entriesOf(value['properties']).map(([name]) => name);
    const values = valuesOf(value) ?? [];
    count.properties += names.length;
    count.values += values.length;
    count.letters += lettersIn(names) + lettersIn(values);
    if (values.length > limits.longList) longList = Math.max(longList, lettersIn(values));
    // Unions add no level.
    const level = value['properties'] !== undefined || value['items'] !== undefined ? above + 1 : above;
    levels = Math.max(levels, level);
    for (const inner of usedSubschemas(value)) visit(inner, level);
  };
  for (const part of [schema, ...definitions.map(([, definition]) => definition)]) visit(part, 0);
  if (levels > limits.levels) return `the schema has more than ${limits.levels} levels`;
  if (count.properties > limits.properties) return `the schema has more than ${limits.properties} properties`;
  if (count.values > limits.values) return `the schema lists more than ${limits.values} values`;
  if (longList > limits.lettersOfLongList) return `one of its lists of values has more than ${limits.lettersOfLongList} letters`;
  return count.letters > limits.letters
    ? `the schema has more than ${limits.letters} letters in its names and values`
    : undefined;
}

function lettersIn(values: readonly unknown[]): number {
  return values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
}
