import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTimeline } from '../../src/timeline/parse-timeline.ts';
import { anyTimeline } from './arbitrary.ts';
import { samples } from './samples.ts';

describe('parseTimeline', () => {
  it.each(Object.entries(samples))('reads back what was written to a file: %s', (_, sample) => {
    const { timeline } = sample();
    expect(parseTimeline(JSON.parse(JSON.stringify(timeline)))).toEqual(timeline);
  });

  it('reads any timeline into the same again', () => {
    fc.assert(
      fc.property(anyTimeline, (timeline) => {
        expect(parseTimeline(JSON.parse(JSON.stringify(timeline)))).toEqual(timeline);
      }),
    );
  });

  it('leaves out what it does not know, as a later release may have written it', () => {
    const { timeline } = samples.textOnly();
    expect(parseTimeline({ ...timeline, mood: 'good' })).toEqual(timeline);
  });

  it.each([
    ['{}', 'JSON.parse(text)'],
    [{ version: 2 }, 'has the version 2, and this release of toolstream reads version 1'],
    [{ version: { a: 1 } }, 'has the version {"a":1}'],
    [null, 'This is no timeline'],
    [{ ...samples.textOnly().timeline, duration: -1 }, 'timeline.duration'],
    [{ ...samples.textOnly().timeline, duration: NaN }, 'timeline.duration'],
    [
      { ...samples.textOnly().timeline, rounds: [{ number: 1, start: 'soon', segments: [], retries: [] }] },
      'timeline.rounds[0].start',
    ],
  ])('says what is wrong with what is none: %j', (json, told) => {
    expect(() => parseTimeline(json)).toThrow(TypeError);
    expect(() => parseTimeline(json)).toThrow(told);
  });
});
