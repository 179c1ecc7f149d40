import type { JsonSchema } from '../../chat/tool-specification.ts';
import { isJsonObject } from './json-object.ts';
import { isPortablePattern } from './patterns.ts';

const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** Values that a keyword must have to mean anything: as they are, mended, or `undefined` where the keyword goes. */
type Mend = (value: unknown) => unknown;

const only =
  (fits: (value: unknown) => boolean): Mend =>
  (value) =>
    fits(value) ? value : undefined;

const text = only((value) => typeof value === 'string');
const number = only((value) => typeof value === 'number');
const count = only((value) => Number.isSafeInteger(value) && (value as number) >= 0);
const flag = only((value) => typeof value === 'boolean');
const object = only(isJsonObject);

/** Each keyword that holds no schemas, and what servers that check schemas take in it. */
export const soundKeywords: ReadonlyMap<string, Mend> = new Map<string, Mend>([
  ['type', soundType],
  ['enum', soundEnum],
  ['required', soundNames],
  ['title', text],
  ['description', text],
  ['format', text],
  ['$ref', text],
  ['$schema', text],
  ['$comment', text],
  ['contentEncoding', text],
  ['contentMediaType', text],
  // A name for the schema changes what references mean, and no server needs it.
  ['$id', () => undefined],
  ['$anchor', () => undefined],
  ['$dynamicRef', () => undefined],
  ['$dynamicAnchor', () => undefined],
  ['$vocabulary', () => undefined],
  ['pattern', only((value) => typeof value === 'string' && isPortablePattern(value))],
  ['minLength', count],
  ['maxLength', count],
  ['minItems', count],
  ['maxItems', count],
  ['minProperties', count],
  ['maxProperties', count],
  ['minContains', count],
  ['maxContains', count],
  ['minimum', number],
  ['maximum', number],
  ['exclusiveMinimum', number],
  ['exclusiveMaximum', number],
  ['multipleOf', only((value) => typeof value === 'number' && value > 0)],
  ['uniqueItems', flag],
  ['deprecated', flag],
  ['readOnly', flag],
  ['writeOnly', flag],
  ['examples', only(Array.isArray)],
  ['dependentRequired', object],
  ['dependencies', object],
]);

/** A type that is written in capitals is meant; one that no JSON value has is not. */
function soundType(value: unknown): unknown {
  if (!Array.isArray(value)) return knownType(value);
  const known = [...new Set(value.map(knownType).filter((type) => type !== undefined))];
  if (known.length === 0) return undefined;
  return known.length === value.length && known.every((type, i) => type === value[i]) ? value : known;
}

function knownType(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return types.includes(value) ? value : types.find((type) => type === value.toLowerCase());
}

function soundEnum(value: unknown): unknown {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const unlike = new Set(value);
  return unlike.size === value.length ? value : [...unlike];
}

function soundNames(value: unknown): unknown {
  if (!Array.isArray(value)) return undefined;
  const names = new Set(value.filter((name) => typeof name === 'string'));
  return names.size === value.length ? value : [...names];
}

/** The same keywords as older drafts wrote them, in today's words. */
export function modernised(schema: JsonSchema): JsonSchema {
  let modern = schema;
  const set = (changes: Record<string, unknown>) => (modern = { ...modern, ...changes });
  for (const [bound, exclusive] of bounds) {
    if (typeof schema[exclusive] !== 'boolean') continue;
    const isExclusive = schema[exclusive] && typeof schema[bound] === 'number';
    set({ [exclusive]: isExclusive ? schema[bound] : undefined, ...(isExclusive && { [bound]: undefined }) });
  }
  if (Array.isArray(schema['items'])) {
    set({ prefixItems: schema['prefixItems'] ?? schema['items'], items: schema['additionalItems'] });
  }
  // OpenAPI's word.
  if (schema['nullable'] === true) set(withNull(schema));
  if ('nullable' in schema) set({ nullable: undefined });
  if ('additionalItems' in schema) set({ additionalItems: undefined });
  return modern;
}

function withNull({ type, enum: values, anyOf }: JsonSchema): Record<string, unknown> {
  return {
    ...(type !== undefined && { type: [...new Set([type, 'null'].flat())] }),
    ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }),
    ...(Array.isArray(anyOf) && { anyOf: [...(anyOf as unknown[]), { type: 'null' }] }),
  };
}

const bounds = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const;
