import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wellFormed } from '../../src/provider/well-formed.ts';

describe('wellFormed', () => {
  it('leaves JSON as it is that has whole characters only', () => {
    for (const json of ['{"a":"😀"}', '{"a":"\\\\ud83d"}', '{"a":"\\ud83d\\ude00 \\n"}']) {
      expect(wellFormed(json)).toBe(json);
    }
  });

  it('has a sign of its own for half a character', () => {
    expect(wellFormed(JSON.stringify({ a: '😀'.slice(0, 1) }))).toBe(String.raw`{"a":"\ufffd"}`);
    expect(wellFormed(JSON.stringify('\ude00\ud83d'))).toBe(String.raw`"\ufffd\ufffd"`);
  });

  it('is JSON of the same value, halves apart, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('', '\\', '\\u', '\ud83d', '\ude00'), (text, odd) => {
        const value = [text + odd + text];
        const whole = new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(value[0]));
        expect(JSON.parse(wellFormed(JSON.stringify(value)))).toEqual([whole]);
      }),
    );
  });
});
