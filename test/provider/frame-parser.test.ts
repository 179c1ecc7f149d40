import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { frameParser } from '../../src/provider/frame-parser.ts';

const places = [
  ['choices', 0, 'delta', 'content'],
  ['choices', 0, 'delta', 'calls', 0, 'arguments'],
];
const ofText = (content: string, id = 'a') =>
  JSON.stringify({ id, choices: [{ index: 0, delta: { content }, finish: null }], usage: null });
const ofCall = (text: string) => JSON.stringify({ id: 'a', choices: [{ delta: { calls: [{ index: 0, arguments: text }] } }] });
/** The value of each frame, as it was when the frame had been parsed. */
function parsed(frames: readonly string[]): readonly unknown[] {
  const { parse } = frameParser(places);
  return frames.map((frame) => structuredClone(parse(frame)));
}
/** A stream long enough for its frames to be studied. */
const warm = Array.from({ length: 12 }, (_, place) => ofText(`word ${place}`));

function parsedOrNothing(frame: string): unknown {
  try {
    return JSON.parse(frame);
  } catch {
    return undefined;
  }
}

describe('frameParser', () => {
  it('gives what JSON.parse gives, whatever the texts are', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('"', '\\', '","content":"', 'word 1', '\u2028', '{}', ''),
    );
    const frame = fc.oneof(
      text.map((content) => ofText(content)),
      fc.tuple(text, text).map(([content, id]) => ofText(content, id)),
      text.map(ofCall),
    );
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 40 }), (frames) => {
        expect(parsed([...warm, ...frames])).toEqual([...warm, ...frames].map(parsedOrNothing));
      }),
    );
  });

  it('takes nothing for JSON that is none, though its ends are those of a frame', () => {
    const [before, after] = [warm[0]!.slice(0, warm[0]!.indexOf('word')), warm[0]!.slice(warm[0]!.indexOf('"}'))];
    const piece = fc.constantFrom('"', '\\', 'a', '\n', ',"b":', '"x":"', '{', '}', '\\u00e', '\u0000', ' ');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const frame = before + pieces.join('') + after;
        expect(parsed([...warm, frame]).at(-1)).toEqual(parsedOrNothing(frame));
      }),
    );
  });

  it('finds the place of a text that stands elsewhere, too, and is not misled by a key that comes twice', () => {
    const twin = (text: string) => `{"choices":[{"delta":{"content":"${text}"}}],"echo":"${text}"}`;
    const double = (text: string) => `{"choices":[{"delta":{"content":"${text}","content":"b"}}]}`;
    for (const frame of [twin, double]) {
      const frames = [...'abcabcabcabcabc'].map(frame);
      expect(parsed(frames)).toEqual(frames.map(parsedOrNothing));
    }
  });

  it('changes no value that somebody keeps, and shows nothing of what was put into it in those that follow', () => {
    const { parse, keep } = frameParser(places);
    const frames = Array.from({ length: 40 }, (_, place) => ofText(`word ${place}`));
    const kept = frames.flatMap((frame, place) => {
      const value = parse(frame) as { mark?: number };
      expect(value).toEqual(JSON.parse(frame));
      if (place % 3 > 0) return [];
      keep();
      value.mark = place;
      return [value];
    });
    expect(kept).toEqual(frames.flatMap((frame, mark) => (mark % 3 > 0 ? [] : [{ ...(JSON.parse(frame) as object), mark }])));
  });

  it('parses frames of text by their texts alone also behind many that somebody keeps', () => {
    const { parse, keep } = frameParser(places);
    for (const frame of warm) {
      parse(frame);
      keep();
    }
    const whole = vi.spyOn(JSON, 'parse');
    for (const frame of warm) parse(frame);
    const objects = whole.mock.calls.filter(([text]) => text.startsWith('{'));
    whole.mockRestore();
    // One, and once more without its text.
    expect(objects.length).toBeLessThanOrEqual(2);
  });

  it.each(['', 'null', '[]', '"content"', '{', '{"choices":[]}', '{"choices":[null]}'])('takes %o for what it is', (frame) => {
    expect(parsed([...warm, frame, ...warm])).toEqual([...warm, frame, ...warm].map(parsedOrNothing));
  });
});
