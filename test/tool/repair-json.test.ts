import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../src/tool/parse-arguments.ts';
import { repairJson } from '../../src/tool/repair-json.ts';

const parsed = (text: string) => parseArguments('x', text);

/** An object whose text has no blanks around it: every prefix of it is cut in the middle. */
const objects = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4, noNullPrototype: true });

/** Pieces that look like what the repair takes away. */
const spiteful = fc.dictionary(
  fc.constantFrom('a', '```', '<|', '|>', ',}', '\\"', '"', '{', '[1,]'),
  fc.oneof(
    fc.constantFrom<unknown>('```', '<|x|>', '|>', '{"a":1}', '[1,]', ',]', '\n', '\\', '"', {}, [], 1, null),
    fc.jsonValue(),
  ),
  { maxKeys: 4, noNullPrototype: true },
);

describe('[S159] near-JSON is mended, and this is visible', () => {
  it.each<[what: string, text: string, value: unknown]>([
    ['a code fence', '```json\n{"a":1}\n```', { a: 1 }],
    ['a code fence without a language', '```\n{"a":1}```', { a: 1 }],
    ['half a fence', '{"a":1}\n```', { a: 1 }],
    ['a template token behind it', '{"a":1}<|im_end|>', { a: 1 }],
    ['several template tokens', '{"a":1} <|eot|>\n<|im_end|>', { a: 1 }],
    ['JSON in a JSON string', JSON.stringify('{"a":"b\\"c"}'), { a: 'b"c' }],
    ['a fence round JSON in a JSON string', '```json\n"{\\"a\\":1}"\n```', { a: 1 }],
    ['trailing commas', '{"a":[1,2,],"b":{"c":1,} , }', { a: [1, 2], b: { c: 1 } }],
    ['raw line breaks and tabs in strings', '{"a":"x\ny\r\nz\t!"}', { a: 'x\ny\r\nz\t!' }],
    ['all at once', '```json\n{"a":"x\ny",}<|im_end|>\n```', { a: 'x\ny' }],
  ])('%s', (_, text, value) => {
    expect(parsed(text)).toEqual({ value, repaired: true });
  });

  it('what is inside strings stays as it is', () => {
    const value = { a: 'x,]', b: '```', c: '<|x|>', d: 'say \\",}"', e: '[1,]' };
    const text = JSON.stringify(value);
    expect(parsed(text)).toEqual({ value, repaired: false });
    expect(parsed(`${text.slice(0, -1)},}`)).toEqual({ value, repaired: true });
  });

  it('valid JSON is not touched', () => {
    fc.assert(
      fc.property(objects, (value) => {
        const text = JSON.stringify(value);
        if (/proto|constructor/.test(text)) return;
        expect(parsed(text)).toEqual({ value: JSON.parse(text) as unknown, repaired: false });
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    '{"a":1}}',
    '{"a":1} and so on',
    'I call it with {"a":1}',
    '{"a":1}{"a":2}',
    "{'a':1}",
    '{a:1}',
    '{"a":True}',
    '',
    '```',
    '<|im_end|>',
    '"text"',
    '"\\"text\\""',
    '{"a" 1}',
  ])('what can not be mended safely is left alone: %s', (text) => {
    expect(typeof repairJson(text)).not.toBe('object');
  });

  it('takes time in proportion to the text', () => {
    const commas = `{"a":[1${','.repeat(20_000)}`;
    const blanks = `{"a":[1,${' '.repeat(200_000)}x`;
    const tokens = `{"a":1${'<|x|>'.repeat(20_000)}`;
    for (const text of [commas, blanks, tokens]) expect(repairJson(text)).toBeUndefined();
  });
});

describe('half a command is never run', () => {
  const everyPrefixIsRefused = (text: string) => {
    fc.pre(text.length < 300);
    for (let length = 1; length < text.length; length++) {
      const prefix = text.slice(0, length);
      expect(() => parsed(prefix), prefix).toThrow('They were: ');
    }
  };

  it('no beginning of an object is taken for an object', () => {
    fc.assert(
      fc.property(objects, (value) => everyPrefixIsRefused(JSON.stringify(value))),
      { numRuns: 60 },
    );
  });

  it('neither is one that holds fences, tokens and commas', () => {
    fc.assert(
      fc.property(spiteful, (value) => everyPrefixIsRefused(JSON.stringify(value))),
      { numRuns: 80 },
    );
  });

  it('nor one of an object that was told as a JSON string', () => {
    fc.assert(
      fc.property(objects, (value) => everyPrefixIsRefused(JSON.stringify(JSON.stringify(value)))),
      { numRuns: 30 },
    );
  });

  it('nor one that is cut and followed by a fence or a template token', () => {
    fc.assert(
      fc.property(objects, fc.nat(), fc.constantFrom('```', '\n```', '<|im_end|>', ' <|eot|>'), (value, place, tail) => {
        const text = JSON.stringify(value);
        const prefix = text.slice(0, 1 + (place % (text.length - 1)));
        expect(() => parsed(prefix + tail), prefix + tail).toThrow('They were: ');
      }),
      { numRuns: 200 },
    );
  });
});
