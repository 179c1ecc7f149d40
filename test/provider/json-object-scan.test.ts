import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonObjectScan } from '../../src/provider/json-object-scan.ts';

const objects = fc
  .tuple(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), fc.constantFrom(undefined, 2, '\t'))
  .map(([value, indent]) => JSON.stringify(value, null, indent));

function isWhole(...pieces: string[]): boolean {
  const scan = jsonObjectScan();
  pieces.forEach((piece) => scan.add(piece));
  return scan.isWhole();
}

describe('jsonObjectScan', () => {
  it('finds any JSON object whole at its last character, and never before', () => {
    fc.assert(
      fc.property(objects, (text) => {
        const scan = jsonObjectScan();
        const whole = Array.from(text, (character) => {
          scan.add(character);
          return scan.isWhole();
        });
        expect(whole).toEqual(whole.map((_, index) => index === whole.length - 1));
      }),
    );
  });

  it('does not mind where the text is cut into pieces', () => {
    fc.assert(
      fc.property(objects, fc.nat(), fc.nat(), (text, one, other) => {
        const [first, second] = [one % (text.length + 1), other % (text.length + 1)].sort((a, b) => a - b) as [number, number];
        expect(isWhole(text.slice(0, first), text.slice(first, second), text.slice(second))).toBe(true);
      }),
    );
  });

  it('takes white space before and behind', () => {
    expect(isWhole(' \r\n\t{"a":1}', ' \n')).toBe(true);
  });

  it.each(['{} x', '{}{}', '{"a":1},', '{}]'])('is not whole with something behind the object: %s', (text) => {
    expect(isWhole(text)).toBe(false);
  });

  it.each(['', ' ', '[{}]', '"{}"', '1', 'null', 'x{}'])('is not whole when it is no object: %s', (text) => {
    expect(isWhole(text)).toBe(false);
  });

  it('is not misled by brackets and quotes inside of strings', () => {
    expect(isWhole(String.raw`{"a":"}\"}\\`)).toBe(false);
    expect(isWhole(String.raw`{"a":"}\"}\\"}`)).toBe(true);
  });
});
