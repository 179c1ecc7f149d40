import type { JsonSchema } from '../../chat/tool-specification.ts';

/** Demands that can be told in a few words where a dialect has no keyword for them. */
const tellable = [
  'default',
  'const',
  'enum',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
];

/** A longer one would cost more than it helps. */
const longest = 200;

/** The bounds of every integer that JavaScript can hold, and what an absent value comes to anyway: they say nothing. */
const unsaid: readonly unknown[] = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, null];

/** The description of a schema, and those of its demands that the dialect has no keyword for: a model that knows them keeps them. */
export function toldBounds(schema: JsonSchema, isKept: (keyword: string) => boolean): string | undefined {
  const description = typeof schema['description'] === 'string' ? schema['description'] : undefined;
  const bounds = tellable
    .filter((keyword) => schema[keyword] !== undefined && !isKept(keyword) && !unsaid.includes(schema[keyword]))
    .map((keyword) => `${keyword} ${JSON.stringify(schema[keyword])}`)
    .filter((bound) => bound.length <= longest);
  if (bounds.length === 0) return description;
  return [...(description ? [description] : []), `(${bounds.join(', ')})`].join(' ');
}
