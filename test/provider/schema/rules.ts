import { expect } from 'vitest';

type Json = Readonly<Record<string, unknown>>;

const strictKeywords = new Set([
  ...['type', 'enum', 'const', 'anyOf', '$ref', '$defs', 'properties', 'required', 'additionalProperties', 'items'],
  ...['title', 'description', 'pattern', 'format', 'multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['minItems', 'maxItems'],
]);

const geminiKeywords = new Set([
  ...['type', 'format', 'title', 'description', 'nullable', 'enum', 'items', 'minItems', 'maxItems', 'properties', 'required'],
  ...['minProperties', 'maxProperties', 'minLength', 'maxLength', 'pattern', 'minimum', 'maximum', 'anyOf'],
]);

const geminiJsonKeywords = new Set([
  ...['$defs', '$ref', 'type', 'format', 'title', 'description', 'enum', 'items', 'prefixItems', 'minItems', 'maxItems'],
  ...['minimum', 'maximum', 'anyOf', 'properties', 'additionalProperties', 'required'],
]);

const closedKeywords = new Set([
  ...['type', 'enum', 'const', 'anyOf', '$ref', '$defs', 'properties', 'required', 'additionalProperties', 'items'],
  ...['title', 'description', 'pattern', 'format', 'minItems'],
]);

/** What OpenAI says of schemas in strict mode. */
export function expectStrict(root: Json): void {
  expect(root).toMatchObject({ type: 'object' });
  expect(root).not.toHaveProperty('anyOf');
  each(root, (schema) => {
    expectOnly(schema, strictKeywords);
    expectClosed(schema);
    if (isObject(schema['properties'])) {
      expect([...(schema['required'] as string[])].sort()).toEqual(Object.keys(schema['properties']).sort());
    }
    if (typeof schema['$ref'] === 'string') expectTarget(root, schema);
  });
}

/** What Anthropic says of schemas of structured outputs. */
export function expectClosedAnswer(root: Json): void {
  each(root, (schema) => {
    expectOnly(schema, closedKeywords);
    expectClosed(schema);
    if ('minItems' in schema) expect([0, 1]).toContain(schema['minItems']);
    if (typeof schema['$ref'] === 'string') expectTarget(root, schema);
  });
}

/** What Gemini's parser takes in a `Schema`. */
export function expectGemini(root: Json): void {
  each(root, (schema) => {
    expectOnly(schema, geminiKeywords);
    if ('anyOf' in schema) {
      expect(Object.keys(schema)).toEqual(['anyOf']);
      expect((schema['anyOf'] as unknown[]).length).toBeGreaterThan(1);
      return;
    }
    expect(['string', 'number', 'integer', 'boolean', 'array', 'object']).toContain(schema['type']);
    if ('enum' in schema) {
      expect(schema['type']).toBe('string');
      expect((schema['enum'] as unknown[]).every((word) => typeof word === 'string' && word !== '')).toBe(true);
    }
    if (schema['type'] === 'array') expect(isObject(schema['items'])).toBe(true);
    if (schema['type'] === 'object') {
      const names = Object.keys(schema['properties'] as object);
      expect(names.length).toBeGreaterThan(0);
      expect(names).toEqual(expect.arrayContaining((schema['required'] as string[] | undefined) ?? []));
    }
  });
}

/** What Gemini says of schemas that are JSON Schema. */
export function expectGeminiJson(root: Json): void {
  each(root, (schema) => {
    expectOnly(schema, geminiJsonKeywords);
    if ('$ref' in schema) {
      expect(Object.keys(schema).filter((key) => !key.startsWith('$'))).toEqual([]);
      expectTarget(root, schema);
    }
    if ('enum' in schema) expect((schema['enum'] as unknown[]).every((v) => ['string', 'number'].includes(typeof v))).toBe(true);
  });
}

function expectTarget(root: Json, schema: Json): void {
  const ref = schema['$ref'] as string;
  if (ref === '#') return;
  expect(ref).toMatch(/^#\/\$defs\/[\w.-]+$/);
  expect(root['$defs']).toHaveProperty([ref.slice('#/$defs/'.length)]);
}

function expectOnly(schema: Json, keywords: ReadonlySet<string>): void {
  expect(Object.keys(schema).filter((key) => !keywords.has(key))).toEqual([]);
}

/** Every schema has a type or a structure, and every object is closed. */
function expectClosed(schema: Json): void {
  expect(['type', 'anyOf', '$ref'].some((key) => key in schema)).toBe(true);
  if ([schema['type']].flat().includes('object')) expect(schema).toMatchObject({ additionalProperties: false });
}

function each(schema: unknown, visit: (schema: Json) => void): void {
  if (!isObject(schema)) return;
  visit(schema);
  for (const key of ['properties', '$defs']) {
    if (isObject(schema[key])) Object.values(schema[key]).forEach((inner) => each(inner, visit));
  }
  for (const key of ['anyOf', 'prefixItems']) {
    if (Array.isArray(schema[key])) schema[key].forEach((inner) => each(inner, visit));
  }
  for (const key of ['items', 'additionalProperties']) each(schema[key], visit);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
