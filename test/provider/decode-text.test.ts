import fc from 'fast-check';
import { concat, from, of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../src/provider/decode-text.ts';
import { collected } from './collected.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('decodeText', () => {
  it('keeps a character whole that a chunk cuts in two', () => {
    const flag = bytes('a👩‍💻b');
    const pieces = Array.from(flag, (byte) => Uint8Array.of(byte));
    expect(collected(from(pieces).pipe(decodeText())).values.join('')).toBe('a👩‍💻b');
  });

  it('gives back any text, however its bytes are cut', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.nat(40)), (text, cuts) => {
        const body = bytes(text);
        const places = [0, ...cuts.filter((cut) => cut < body.length).sort((a, b) => a - b), body.length];
        const pieces = places.slice(1).map((end, index) => body.subarray(places[index], end));
        expect(collected(from(pieces).pipe(decodeText())).values.join('')).toBe(text);
      }),
    );
  });

  it('drops a byte order mark, also one that is cut', () => {
    expect(collected(of(Uint8Array.of(0xef, 0xbb), Uint8Array.of(0xbf, 0x61)).pipe(decodeText())).values.join('')).toBe('a');
  });

  it('shows a replacement character for a body that ends within a character', () => {
    expect(collected(of(bytes('ab'), bytes('ż').subarray(0, 1)).pipe(decodeText()))).toEqual({
      values: ['ab', '', '\uFFFD'],
      error: undefined,
      isComplete: true,
    });
  });

  it('passes an error on, and makes nothing up at it', () => {
    const lost = new Error('lost');
    const broken$ = concat(
      of(bytes('ż').subarray(0, 1)),
      throwError(() => lost),
    );
    expect(collected(broken$.pipe(decodeText()))).toEqual({ values: [''], error: lost, isComplete: false });
  });

  it('starts anew for each subscription', () => {
    const half$ = of(bytes('ż').subarray(0, 1)).pipe(decodeText());
    expect(collected(half$)).toEqual(collected(half$));
  });
});
