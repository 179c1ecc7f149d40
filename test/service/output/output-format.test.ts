import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { ConfigurationError } from '../../../src/chat/configuration-error.ts';
import type { ParsedOutput } from '../../../src/service/output/check-output.ts';
import { outputFormat } from '../../../src/service/output/output-format.ts';

const recipe = z.object({ title: z.string(), minutes: z.number().int(), level: z.enum(['easy', 'hard']).optional() });
const meal = '{"title":"Soup","minutes":20}';

const schemaOf = (type: z.core.$ZodType) => {
  const { responseFormat } = outputFormat(type);
  return responseFormat.type === 'json' ? responseFormat.schema : undefined;
};

/** What a synchronous type makes of an answer, at once. */
const parsed = (type: z.core.$ZodType, text: string | null) => outputFormat(type).parse(text) as ParsedOutput;

function problemOf(type: z.core.$ZodType, text: string | null): string {
  const result = parsed(type, text);
  expect(result.ok).toBe(false);
  return result.ok ? '' : result.problem;
}

describe('the format that the model is asked for', () => {
  it('is the JSON Schema of the type, and has a name', () => {
    expect(outputFormat(recipe).responseFormat).toEqual({
      type: 'json',
      name: 'answer',
      schema: {
        type: 'object',
        properties: {
          title: { type: 'string' },
          minutes: expect.objectContaining({ type: 'integer' }) as unknown,
          level: { type: 'string', enum: ['easy', 'hard'] },
        },
        required: ['title', 'minutes'],
      },
    });
  });

  it('is the same for zod/mini', () => {
    expect(schemaOf(mini.object({ a: mini.optional(mini.string()) }))).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
    });
  });

  it('keeps descriptions', () => {
    expect(schemaOf(z.object({ a: z.string().describe('in metres') }).describe('A measure'))).toMatchObject({
      description: 'A measure',
      properties: { a: { description: 'in metres' } },
    });
  });

  it('is the input side: what the model writes, before defaults and transforms', () => {
    const type = z.object({ n: z.number().default(5), length: z.string().transform((text) => text.length) });
    expect(schemaOf(type)).toEqual({
      type: 'object',
      properties: { n: { type: 'number', default: 5 }, length: { type: 'string' } },
      required: ['length'],
    });
    expect(parsed(type, '{"length":"four"}')).toEqual({ ok: true, value: { n: 5, length: 4 } });
  });

  it.each<[what: string, type: z.core.$ZodType, inner: object]>([
    ['an array', z.array(z.string()), { type: 'array', items: { type: 'string' } }],
    ['a text', z.string(), { type: 'string' }],
    ['an enum', z.enum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
    [
      'a union of objects',
      z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
      { anyOf: expect.any(Array) as unknown },
    ],
    ['an object that may be null', z.object({ a: z.string() }).nullable(), { anyOf: expect.any(Array) as unknown }],
  ])('has an object round %s', (_, type, inner) => {
    expect(schemaOf(type)).toEqual({ type: 'object', properties: { value: inner }, required: ['value'] });
  });

  it.each<[what: string, type: z.core.$ZodType]>([
    ['an object', recipe],
    ['a record', z.record(z.string(), z.number())],
    ['a lazy object', z.lazy(() => recipe)],
    ['a transformed object', recipe.transform(({ title }) => title)],
    ['an object with a default', recipe.default({ title: '', minutes: 0 })],
    ['an object with an id', z.object({ title: z.string() }).meta({ id: 'recipe-with-an-id' })],
  ])('has none round %s', (_, type) => {
    expect(schemaOf(type)).toMatchObject({ type: 'object' });
    expect(schemaOf(type)).not.toHaveProperty('properties.value');
  });

  it('tells recursive types, with the references in place', () => {
    const tree = z.object({
      name: z.string(),
      get children() {
        return z.array(tree);
      },
    });
    expect(schemaOf(tree)).toMatchObject({ properties: { children: { items: { $ref: '#' } } } });
    expect(schemaOf(z.array(tree))).toMatchObject({
      properties: { value: { items: { $ref: '#/$defs/__schema0' } } },
      $defs: { __schema0: { properties: { children: { items: { $ref: '#/$defs/__schema0' } } } } },
    });
    expect(parsed(z.array(tree), '{"value":[{"name":"a","children":[{"name":"b","children":[]}]}]}')).toEqual({
      ok: true,
      value: [{ name: 'a', children: [{ name: 'b', children: [] }] }],
    });
  });

  it('has the object itself at the root where types have ids', () => {
    const part = z.object({ n: z.number() }).meta({ id: 'part-with-an-id' });
    const whole = z.object({ part, title: z.string() }).meta({ id: 'whole-with-an-id', title: 'Whole' });
    expect(schemaOf(whole)).toEqual({
      title: 'Whole',
      type: 'object',
      properties: { part: { $ref: '#/$defs/part-with-an-id' }, title: { type: 'string' } },
      required: ['part', 'title'],
      $defs: { 'part-with-an-id': { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } },
    });
    const tree = z
      .object({
        get children() {
          return z.array(tree);
        },
      })
      .meta({ id: 'tree-with-an-id' });
    expect(schemaOf(tree)).toMatchObject({
      type: 'object',
      properties: { children: { items: { $ref: '#/$defs/tree-with-an-id' } } },
      $defs: { 'tree-with-an-id': { type: 'object' } },
    });
  });

  it('is told in words as well, in few, for models that know no JSON Schema', () => {
    const { instructions } = outputFormat(z.array(z.string()));
    expect(instructions).toContain('JSON');
    expect(instructions).toContain(
      '{"type":"object","properties":{"value":{"type":"array","items":{"type":"string"}}},"required":["value"]}',
    );
  });

  it.each<[what: string, type: z.core.$ZodType, remedy: RegExp]>([
    ['a date', z.object({ at: z.date() }), /properties\.at is a zod date; use z\.coerce\.date\(\)/],
    ['a date that is the whole', z.date(), /its root is a zod date/],
    ['a bigint', z.object({ n: z.bigint() }), /properties\.n is a zod bigint; use z\.coerce\.bigint\(\)/],
    ['a map', z.map(z.string(), z.string()), /map; use z\.record/],
    ['a set in an array', z.object({ a: z.array(z.set(z.string())) }), /properties\.a\.items is a zod set; use z\.array/],
    ['a symbol', z.object({ s: z.symbol() }), /symbol/],
    ['a file', z.object({ f: z.file() }), /file/],
  ])('is a configuration error for %s, which no JSON can be', (_, type, remedy) => {
    expect(() => outputFormat(type)).toThrow(ConfigurationError);
    expect(() => outputFormat(type)).toThrow(remedy);
    expect(() => outputFormat(type)).toThrow(/aiService: output/);
  });

  it.each<[what: string, type: z.core.$ZodType, text: string, value: unknown]>([
    [
      'a coerced date',
      z.object({ at: z.coerce.date() }),
      '{"at":"2026-01-02T00:00:00Z"}',
      { at: new Date('2026-01-02T00:00:00Z') },
    ],
    ['a coerced bigint', z.object({ n: z.coerce.bigint() }), '{"n":5}', { n: 5n }],
    [
      'a date that a preprocess makes',
      z.object({ at: z.preprocess((text) => new Date(String(text)), z.date()) }),
      '{"at":"2026-01-02"}',
      { at: new Date('2026-01-02') },
    ],
    [
      'a date that a codec makes',
      z.object({
        at: z.codec(z.iso.date(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() }),
      }),
      '{"at":"2026-01-02"}',
      { at: new Date('2026-01-02') },
    ],
    ['a set that a transform makes', z.array(z.string()).transform((items) => new Set(items)), '{"value":["a"]}', new Set(['a'])],
  ])('can have %s', (_, type, text, value) => {
    expect(parsed(type, text)).toEqual({ ok: true, value });
  });

  it('tells coerced dates and bigints as what JSON has for them', () => {
    expect(schemaOf(z.object({ at: z.coerce.date(), n: z.coerce.bigint() }))).toMatchObject({
      properties: { at: { type: 'string', format: 'date-time' }, n: { type: 'integer' } },
    });
  });

  it.each<[what: string, output: unknown, message: RegExp]>([
    ['nothing', undefined, /output is undefined; it must be a zod schema/],
    ['a JSON Schema', { type: 'object' }, /output is .*type.*; it must be a zod schema/],
    ['a schema of zod 3', { _def: { typeName: 'ZodObject' } }, /zod 3; make it with zod 4/],
  ])('is a configuration error for %s', (_, output, message) => {
    expect(() => outputFormat(output as z.core.$ZodType)).toThrow(ConfigurationError);
    expect(() => outputFormat(output as z.core.$ZodType)).toThrow(message);
  });
});

describe('an answer that fits', () => {
  it('is the value that the type makes of it, at once', () => {
    expect(parsed(recipe, meal)).toEqual({ ok: true, value: { title: 'Soup', minutes: 20 } });
  });

  it.each<[what: string, type: z.core.$ZodType, text: string, value: unknown]>([
    ['an array', z.array(z.string()), '{"value":["a","b"]}', ['a', 'b']],
    ['a text', z.string(), '{"value":"{\\"value\\":1}"}', '{"value":1}'],
    ['null', z.string().nullable(), '{"value":null}', null],
    ['nothing', z.string().optional(), '{}', undefined],
    [
      'an object with a value of its own',
      z.union([z.object({ value: z.number() }), z.string()]),
      '{"value":{"value":1}}',
      { value: 1 },
    ],
    ['an array that stands alone', z.array(z.string()), '["a"]', ['a']],
    ['an object that stands alone', z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]), '{"b":"x"}', { b: 'x' }],
    ['null that stands alone', z.string().nullable(), 'null', null],
    ['a number that stands alone', z.number(), '5', 5],
  ])('and whose type is no object is unwrapped: %s', (_, type, text, value) => {
    expect(parsed(type, text)).toEqual({ ok: true, value });
  });

  it.each<[what: string, text: string]>([
    ['a code fence', `\`\`\`json\n${meal}\n\`\`\``],
    ['text before it', `Here you are: ${meal}`],
    ['text behind it', `${meal}\nEnjoy!`],
    ['a code fence and text', `Here you are:\n\`\`\`json\n${meal}\n\`\`\`\nThe {salt} is up to you [1].`],
    ['a template token behind it', `${meal}<|im_end|>`],
    ['quotes and brackets that are none around it', `The "soup [1]": ${meal} (see {x}).`],
    ['a trailing comma', '{"title":"Soup","minutes":20,}'],
    ['a trailing comma, in text', 'So: {"title":"Soup","minutes":20,} ok?'],
    ['a JSON string round it', JSON.stringify(meal)],
    ['a number that came as a string', '{"title":"Soup","minutes":"20"}'],
    ['a null for what is optional', '{"title":"Soup","minutes":20,"level":null}'],
  ])('may have %s', (_, text) => {
    expect(parsed(recipe, text)).toEqual({ ok: true, value: { title: 'Soup', minutes: 20 } });
  });

  it('is found in text whatever it holds', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }),
        fc.stringMatching(/^[^[\]{}"`]*$/),
        fc.stringMatching(/^[^[\]{}"`]*$/),
        (value, before, behind) => {
          const text = JSON.stringify(value);
          fc.pre(!/proto|constructor/.test(text));
          const any = z.record(z.string(), z.unknown());
          expect(parsed(any, `Now ${before}${text}${behind}`)).toEqual({ ok: true, value: JSON.parse(text) as unknown });
        },
      ),
      { numRuns: 200 },
    );
  });

  it('never reaches a prototype', () => {
    const any = z.record(z.string(), z.unknown());
    for (const text of ['{"a":1,"__proto__":{"bad":1}}', 'So: {"a":1,"\\u005f_proto__":{"bad":1}}']) {
      const result = parsed(any, text);
      expect(result).toEqual({ ok: true, value: { a: 1 } });
      expect(result.ok && Object.keys(result.value as object)).toEqual(['a']);
    }
  });

  it('may be checked by something asynchronous', async () => {
    const known = z.object({ city: z.string().refine((city) => Promise.resolve(city === 'Rome'), 'No such city') });
    await expect(outputFormat(known).parse('{"city":"Rome"}')).resolves.toEqual({ ok: true, value: { city: 'Rome' } });
    await expect(outputFormat(known).parse('{"city":"Atlantis"}')).resolves.toMatchObject({
      ok: false,
      problem: 'The answer does not fit its schema:\n- city: No such city; got "Atlantis"',
    });
    await expect(outputFormat(z.array(known)).parse('{"value":[{"city":"Rome"}]}')).resolves.toEqual({
      ok: true,
      value: [{ city: 'Rome' }],
    });
  });
});

describe('an answer that does not fit', () => {
  it('is told to the model with the path, what was expected and what came, for each issue', () => {
    expect(problemOf(recipe, '{"minutes":1.5,"level":"mean"}').split('\n')).toEqual([
      'The answer does not fit its schema:',
      '- title: Invalid input: expected string, received undefined; got nothing',
      '- minutes: Invalid input: expected int, received number; got 1.5',
      '- level: Invalid option: expected one of "easy"|"hard"; got "mean"',
    ]);
  });

  it('is told with the path in the object that the model wrote', () => {
    expect(problemOf(z.array(z.number()), '{"value":[1,"x"]}')).toContain('\n- value.1: Invalid input: expected number');
  });

  it.each(['[1]', '5', 'null', '"text"'])('is told from the root where it is no object: %s', (text) => {
    expect(problemOf(recipe, text)).toMatch(/\n- \(root\): Invalid input: expected object, received .*; got /);
  });

  it("has zod's issues as its cause", () => {
    const result = parsed(recipe, '{"title":5,"minutes":1}');
    const cause = result.ok ? undefined : result.cause;
    expect(cause).toBeInstanceOf(z.core.$ZodError);
    expect((cause as z.core.$ZodError).issues).toMatchObject([{ path: ['title'], code: 'invalid_type' }]);
  });

  it("has what the type's own code threw as its cause", () => {
    const cause = new Error('no such id');
    const type = z.object({
      id: z.string().transform(() => {
        throw cause;
      }),
    });
    expect(parsed(type, '{"id":"x"}')).toEqual({ ok: false, problem: "The answer can't be used: no such id", cause });
  });

  it.each([null, '', ' \n'])('because it is empty is told so: %j', (text) => {
    expect(problemOf(recipe, text)).toBe('The answer is empty; it must be one JSON object.');
  });

  it.each([
    'Sorry, I can not.',
    `${meal.slice(0, -1)}`,
    `Here: ${meal.slice(0, -5)}`,
    `{"inner":${meal},"rest`,
    `Here: {"inner":${meal}, "rest": "`,
    `[${meal},`,
    `Two: ${meal} and ${meal}`,
    `One ${meal} and a half ${meal.slice(0, 10)}`,
    "{'title':'Soup'}",
    '```json\n```',
  ])('because it is not one JSON object, or was cut, is told so: %s', (text) => {
    expect(problemOf(recipe, text)).toBe('The answer is not one JSON object, or it was cut off.');
  });

  it('because it was cut is never completed, whatever it holds and stands in', () => {
    const { parse } = outputFormat(z.record(z.string(), z.unknown()));
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1, noNullPrototype: true }),
        fc.constantFrom('', 'Here: ', '```json\n'),
        (value, before) => {
          const text = JSON.stringify(value);
          fc.pre(text.length < 200);
          for (let length = 1; length < text.length; length++)
            expect(parse(before + text.slice(0, length))).toHaveProperty('ok', false);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('because it is nested too deep is a problem, and no crash', () => {
    const depth = 50_000;
    const result = parsed(z.object({ a: z.json() }), `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`);
    expect(result.ok).toBe(false);
  });

  it('takes time in proportion to its length', () => {
    const open = '{'.repeat(100_000);
    const pairs = '{} '.repeat(50_000);
    for (const text of [open, pairs, '{"a":'.repeat(50_000), `${meal} `.repeat(5_000)])
      expect(parsed(recipe, text).ok).toBe(false);
  });
});

describe('an answer that streams', () => {
  const shown = (type: z.core.$ZodType, pieces: readonly string[]) => {
    const reader = outputFormat(type).reader();
    return pieces.map((piece) => reader.push(piece));
  };

  it('is shown as far as it has come', () => {
    expect(shown(recipe, ['```json\n', '{"title":"So', 'up","min', 'utes":20}'])).toEqual([
      undefined,
      { title: 'So' },
      { title: 'Soup' },
      { title: 'Soup', minutes: 20 },
    ]);
  });

  it('is unwrapped where the type is no object', () => {
    expect(shown(z.array(z.string()), ['{', '"value":', '["a', '"]}'])).toEqual([undefined, undefined, ['a'], ['a']]);
    expect(shown(z.array(z.string()), ['["a', '"]'])).toEqual([['a'], ['a']]);
    expect(shown(z.union([z.object({ a: z.string() }), z.string()]), ['{', '"a":"x'])).toEqual([undefined, { a: 'x' }]);
  });

  it('is read anew by each reader', () => {
    const format = outputFormat(recipe);
    expect(format.reader().push('{"title":"a"')).toEqual({ title: 'a' });
    expect(format.reader().push('{"title":"b"')).toEqual({ title: 'b' });
  });
});
