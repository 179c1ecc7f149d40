import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayRound, rawJson, type RawPath } from '../../src/provider/raw-json.ts';

/** Every path into a value, with the value that is there. */
function* placesIn(value: unknown, path: RawPath = []): Generator<readonly [RawPath, unknown]> {
  yield [path, value];
  if (typeof value !== 'object' || value === null) return;
  const steps = Array.isArray(value) ? value.map((inner, place) => [place, inner] as const) : Object.entries(value);
  for (const [step, inner] of steps) yield* placesIn(inner, [...path, step]);
}

describe('rawJson', () => {
  it('finds each value of a JSON text, in any nesting and with any blanks', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1, '\t', ' \n'), (value, indent) => {
        const json = JSON.stringify(value, null, indent);
        for (const [path, inner] of placesIn(JSON.parse(json))) {
          const found = rawJson(json, path);
          expect(JSON.parse(found!)).toEqual(inner);
          expect(found).toBe(found!.trim());
          if (indent === undefined) expect(found).toBe(JSON.stringify(inner));
        }
      }),
    );
  });

  it('leaves every digit as it was written', () => {
    const json = '{ "calls" : [ {"args" : { "id":12345678901234567890, "x":1e400, "y":-0.10 } , "n": 1.0} ] }';
    expect(rawJson(json, ['calls', 0, 'args'])).toBe('{ "id":12345678901234567890, "x":1e400, "y":-0.10 }');
    expect(rawJson(json, ['calls', 0, 'n'])).toBe('1.0');
  });

  it('takes the last of two values under one key, as JSON.parse does', () => {
    expect(rawJson('{"a":{"b":1},"a":{"b":2}}', ['a', 'b'])).toBe('2');
    expect(rawJson('{"a":{"b":1},"a":3}', ['a', 'b'])).toBeUndefined();
  });

  it('knows a key however it is written, and no bracket or quote within a text', () => {
    const json = String.raw`{"\u0061\"}":"\\\"]}{,:","__proto__":[["]"],{"":7}]}`;
    expect(rawJson(json, ['a"}'])).toBe(String.raw`"\\\"]}{,:"`);
    expect(rawJson(json, ['__proto__', 1, ''])).toBe('7');
  });

  it.each<[string, RawPath]>([
    ['{"a":1}', ['b']],
    ['{"a":1}', ['a', 'b']],
    ['{"0":1}', [0]],
    ['[1]', ['0']],
    ['[1]', [1]],
    ['[]', [0]],
    ['"abc"', [0]],
    ['null', ['a']],
  ])('finds nothing in %s at %j', (json, path) => {
    expect(rawJson(json, path)).toBeUndefined();
  });

  it('ends, whatever it is given', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', '1', ' ')), (marks) => {
        const found = rawJson(marks.join(''), ['1', 0]);
        expect(found === undefined || typeof found === 'string').toBe(true);
      }),
      { examples: [[['{', '"', '1', '"']], [['{', '"', '1', '"', '}']], [['[', '{']]], numRuns: 2000 },
    );
  });
});

describe('mayRound', () => {
  it('sees every number that does not survive parsing', () => {
    for (const number of ['12345678901234567890', '-9007199254740993', '0.12345678901234567', '1e400', '1E-400', '2.5e+308']) {
      expect(mayRound(`{"a":${number}}`)).toBe(true);
    }
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), (number) => {
        const survives = JSON.stringify(JSON.parse(String(number))) === String(number);
        expect(survives || mayRound(String(number))).toBe(true);
      }),
    );
  });

  it('is not asked to look twice at short numbers', () => {
    expect(mayRound('{"a":[1,2.5,-3e10,123456789012345],"date":"2026-11-01T10:00:00.000Z"}')).toBe(false);
  });
});
