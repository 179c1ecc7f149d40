import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../../src/chat/tool-specification.ts';
import { closedForm } from '../../../src/provider/schema/closed-form.ts';
import { geminiAnswer, geminiDeclaration } from '../../../src/provider/schema/gemini-declaration.ts';
import { geminiSchema } from '../../../src/provider/schema/gemini-schema.ts';
import { inlinedRefs } from '../../../src/provider/schema/inlined-refs.ts';
import { objectSchema } from '../../../src/provider/schema/object-schema.ts';
import { plainKeys } from '../../../src/provider/schema/plain-keys.ts';
import { soundSchema } from '../../../src/provider/schema/sound-schema.ts';
import { strictForm } from '../../../src/provider/schema/strict-form.ts';
import { toolSchema } from '../../../src/tool/tool-schema.ts';
import { oddSchemas } from './odd-schemas.ts';
import { expectClosedAnswer, expectGemini, expectGeminiJson, expectStrict } from './rules.ts';
import { tidySchemas } from './tidy-schemas.ts';
import { written } from './written.ts';

const dialects: Readonly<Record<string, (schema: JsonSchema) => unknown>> = {
  soundSchema,
  objectSchema,
  'strictForm of tools': (schema) => strictForm(schema).schema,
  'strictForm of answers': (schema) => strictForm(schema, 'refused').schema,
  geminiSchema,
  geminiDeclaration,
  geminiAnswer,
  inlinedRefs,
  closedForm: (schema) => closedForm(schema).schema,
  plainKeys,
};

/** A schema without anything odd, as zod writes them. */
const good: JsonSchema = {
  type: 'object',
  properties: { city: { type: 'string', description: 'Where' }, days: { type: 'integer', minimum: 1 } },
  required: ['city'],
};

const runs = { numRuns: 400 };
const anySchemas = fc.oneof(oddSchemas, tidySchemas);

describe('a schema, however odd', () => {
  it.each(Object.entries(dialects))('never makes %s throw, and is not changed by it', (_, dialect) => {
    fc.assert(
      fc.property(oddSchemas, (schema) => {
        const before = JSON.stringify(schema);
        dialect(schema);
        expect(JSON.stringify(schema)).toBe(before);
      }),
      runs,
    );
  });

  it.each(Object.entries(dialects))('costs %s no more than it is large, whatever its references multiply to', (_, dialect) => {
    const next = (i: number) => ({ $ref: `#/$defs/d${i + 1}` });
    const doubling = (twice: (i: number) => object): JsonSchema => ({
      ...twice(-1),
      type: 'object',
      $defs: Object.fromEntries(Array.from({ length: 60 }, (__, i) => [`d${i}`, i < 59 ? twice(i) : { type: 'string' }])),
    });
    const schemas = [
      doubling((i) => ({ allOf: [next(i), next(i), { title: 'x' }] })),
      doubling((i) => ({ anyOf: [next(i), { ...next(i), title: 'x' }] })),
      doubling((i) => ({ properties: { a: { ...next(i), title: 'x' }, b: { allOf: [next(i), next(i)] } } })),
      {
        type: 'object',
        properties: { p: { allOf: Array.from({ length: 30 }, (__, i) => ({ anyOf: [{ const: i }, { title: 'x' }] })) } },
      },
    ];
    for (const schema of schemas) expect((JSON.stringify(dialect(schema)) ?? '').length).toBeLessThan(5_000_000);
  });

  it('[G56] comes out of each dialect as JSON, and leaves the good tool beside it as it is', () => {
    fc.assert(
      fc.property(oddSchemas, (odd) => {
        for (const dialect of Object.values(dialects)) {
          const alone = JSON.stringify(dialect(structuredClone(good)));
          const [together] = [structuredClone(good), odd].map((schema) => JSON.stringify(dialect(schema)));
          expect(together).toBe(alone);
        }
      }),
      runs,
    );
  });

  it('[G55] becomes an object with properties at the root, and nothing beside it that an API refuses there', () => {
    fc.assert(
      fc.property(oddSchemas, (schema) => {
        const object = objectSchema(schema);
        expect(object).toMatchObject({ type: 'object', properties: {} });
        for (const refused of ['$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const', 'not'])
          expect(object).not.toHaveProperty(refused);
      }),
      runs,
    );
  });

  it('[G52] is strict by all rules of strict mode, or not at all', () => {
    fc.assert(
      fc.property(anySchemas, fc.constantFrom('nullable' as const, 'refused' as const), (schema, optionals) => {
        const strict = strictForm(schema, optionals).schema;
        if (strict) expectStrict(strict);
      }),
      { numRuns: 1500 },
    );
  });

  it('[G53] says nothing to Gemini that its parser refuses', () => {
    fc.assert(
      fc.property(anySchemas, (schema) => {
        const declared = geminiDeclaration(schema);
        if ('parameters' in declared) expectGemini(declared.parameters);
        else expectGeminiJson(declared.parametersJsonSchema);
        const answer = geminiAnswer(schema);
        if ('responseSchema' in answer) expectGemini(answer.responseSchema);
        else expectGeminiJson(answer.responseJsonSchema);
      }),
      { numRuns: 1500 },
    );
  });

  it('is closed by all rules of structured outputs, or not at all', () => {
    fc.assert(
      fc.property(anySchemas, (schema) => {
        const closed = closedForm(schema).schema;
        if (closed) expectClosedAnswer(closed);
      }),
      { numRuns: 1500 },
    );
  });

  it.each(['soundSchema', 'objectSchema', 'geminiSchema', 'inlinedRefs', 'closedForm', 'plainKeys', 'strictForm of tools'])(
    'is what %s makes of it once and for all',
    (name) => {
      const dialect = dialects[name] as (schema: JsonSchema) => JsonSchema | undefined;
      fc.assert(
        fc.property(anySchemas, (schema) => {
          const once = dialect(schema);
          if (once) expect(dialect(once)).toEqual(once);
        }),
        runs,
      );
    },
  );
});

describe('a schema without anything odd', () => {
  it('[G52] has a strict form, and whatever a model writes in it is taken as arguments', () => {
    fc.assert(
      fc.property(tidySchemas, fc.infiniteStream(fc.nat()), (schema, numbers) => {
        const strict = strictForm(schema).schema!;
        expect(strict).toBeDefined();
        const value = written(strict, (of) => numbers.next().value % of) as Record<string, unknown>;
        expect(toolSchema('x', schema).check(value)).toMatchObject({ value: {} });
      }),
      runs,
    );
  });

  it('is not changed for APIs that take JSON Schema as it is', () => {
    fc.assert(
      fc.property(tidySchemas, (schema) => {
        expect(objectSchema(schema)).toBe(schema);
        expect(plainKeys(schema)).toBe(schema);
      }),
      runs,
    );
  });
});
