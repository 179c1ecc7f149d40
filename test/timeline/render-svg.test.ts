import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderSvg } from '../../src/timeline/render-svg.ts';
import { estimatedWidth, type Font } from '../../src/timeline/svg/estimated-width.ts';
import { dark, light, type Palette } from '../../src/timeline/svg/palette.ts';
import type { Timeline } from '../../src/timeline/timeline.ts';
import { anyTimeline } from './arbitrary.ts';
import { samples } from './samples.ts';
import { elementsOf, parseXml, textOf, type XmlElement } from './xml.ts';

const drawn = (timeline: Timeline, options = {}): readonly XmlElement[] => [
  ...elementsOf(parseXml(renderSvg(timeline, options))),
];
const classed = (elements: readonly XmlElement[], kind: string) =>
  elements.filter(({ attributes }) => attributes['class']?.split(' ').includes(kind));
const textsOf = (elements: readonly XmlElement[]) => elements.filter(({ name }) => name === 'text').map(textOf);

/** What a drawing consists of: nothing that acts, nothing that comes from elsewhere. */
const harmless = new Set(['svg', 'title', 'desc', 'style', 'rect', 'circle', 'line', 'path', 'g', 'text']);

function expectHarmless(elements: readonly XmlElement[]): void {
  for (const { name, attributes } of elements) {
    expect(harmless).toContain(name);
    for (const key of Object.keys(attributes)) expect(key).not.toMatch(/^on|href|^style$/);
  }
  for (const element of elements) if (element.name === 'style') expect(textOf(element)).not.toMatch(/url\(|@import|[<>]/);
}

describe('renderSvg', () => {
  it.each(Object.entries(samples))('is one well-formed picture without script or reference: %s', (_, sample) => {
    expectHarmless(drawn(sample().timeline));
  });

  it('is told in words to those who do not see it', () => {
    const [svg, title, desc] = drawn(samples.transferUndone().timeline);
    expect(svg!.attributes['role']).toBe('img');
    expect(textOf(title!)).toBe('Timeline of bank clerk');
    expect(textOf(desc!)).toBe('completed in 2.04 s · 2 rounds · 2 tool calls. credit: 250 ms, undone; debit: 500 ms.');
  });

  it('draws a bar for each run, where and as long as it ran', () => {
    const elements = drawn(samples.concurrentTools().timeline);
    const [weather, timetable] = classed(elements, 'bar-running').map(({ attributes: { x, width } }) => [
      Number(x),
      Number(width),
    ]);
    // 900 ms from 775 on, and 600 ms from 900 on.
    expect(weather![1]! / timetable![1]!).toBeCloseTo(1.5, 1);
    expect((timetable![0]! - weather![0]!) / timetable![1]!).toBeCloseTo(125 / 600, 1);
  });

  it('shows of a long text each piece that can be told apart', () => {
    const { timeline } = samples.textOnly();
    const pieces = Array.from({ length: 200 }, (_, place) => ({ at: 100 + place * 10, characters: 5 }));
    const segments = [{ type: 'text' as const, start: 100, end: 2090, characters: 1000, text: '…', pieces }];
    const long = {
      ...timeline,
      end: 2100,
      duration: 2100,
      rounds: [{ number: 1, start: 0, answered: 2100, segments, retries: [] }],
    };
    const [path] = classed(drawn(long), 'pieces-text');
    // But those that lie in the round corners of the bar.
    expect(path!.attributes['d']!.match(/M/g)!.length).toBeGreaterThan(195);
  });

  it('draws what waited, was asked for, failed, was stopped, dropped and undone, each in its way', () => {
    const kinds = (name: keyof typeof samples) =>
      new Set(drawn(samples[name]().timeline).flatMap(({ attributes }) => attributes['class']?.split(' ') ?? []));
    expect(kinds('oneAtATime')).toContain('bar-waiting');
    expect(kinds('approvals')).toContain('bar-approval');
    expect(kinds('approvals')).toContain('mark-denied');
    expect(kinds('failed')).toContain('bar-failing');
    expect(kinds('cancelled')).toContain('bar-stopped');
    expect(kinds('cancelled')).toContain('mark-undone');
    expect(kinds('troubles')).toContain('bar-dropped');
    expect(kinds('troubles')).toContain('mark-retry');
    expect(kinds('eventsOnly')).toContain('bar-within');
  });

  it('tells in the legend only what occurs', () => {
    const texts = textsOf(drawn(samples.textOnly().timeline));
    expect(texts.slice(-3)).toEqual(['waiting for the model', 'text', 'result']);
  });

  it('follows the reader in light and dark, unless it is told which', () => {
    const styleIn = (theme: string) =>
      textOf(drawn(samples.textOnly().timeline, { theme }).find(({ name }) => name === 'style')!);
    expect(styleIn('auto')).toContain('@media(prefers-color-scheme:dark)');
    expect(styleIn('light')).not.toContain(dark.ground);
    expect(styleIn('dark')).not.toContain(light.muted);
  });

  it('leaves drawings of other themes in the same page as they are: each rule is for its own', () => {
    const style = renderSvg(samples.troubles().timeline, { theme: 'dark' }).match(/<style>(.*)<\/style>/)![1]!;
    for (const selector of style.match(/[^{}]+(?=\{)/g)!) {
      for (const one of selector.split(',')) expect(one).toMatch(/^\.toolstream-dark /);
    }
  });

  it('says of very many calls how many are not drawn', () => {
    const texts = textsOf(drawn(samples.crowd().timeline, { maxCalls: 10 }));
    expect(texts).toContain('+ 191 more');
    expect(texts).toContain('190 ok, 1 error');
  });

  it('is the same for the same timeline', () => {
    const { timeline } = samples.troubles();
    expect(renderSvg(JSON.parse(JSON.stringify(timeline)) as Timeline)).toBe(renderSvg(timeline));
  });

  it('shows hostile names and texts as text, and none of their control and direction marks', () => {
    const text = renderSvg(samples.hostile().timeline);
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b-\u200f\u0000]/);
    expect(textsOf(drawn(samples.hostile().timeline))[0]).toBe('</style><script>alert(1)</script>]]>[31mred');
  });

  it('is harmless, and no text leaves it, whatever the timeline holds', () => {
    fc.assert(
      fc.property(
        anyTimeline,
        fc.integer({ min: 320, max: 1400 }),
        fc.integer({ min: 1, max: 12 }),
        (timeline, width, maxCalls) => {
          const elements = drawn(timeline, { width, maxCalls });
          expectHarmless(elements);
          const height = Number(elements[0]!.attributes['height']);
          for (const element of elements) if (element.name === 'text') expectWithin(element, width, height);
          for (const { name, attributes } of elements) {
            if (name !== 'rect') continue;
            expect(Number(attributes['x']) + Number(attributes['width'])).toBeLessThanOrEqual(width);
            expect(Number(attributes['y']) + Number(attributes['height'])).toBeLessThanOrEqual(height);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('grows no further than what can be seen, however much was recorded', () => {
    const { timeline } = samples.textOnly();
    const [round] = timeline.rounds;
    const rounds = Array.from({ length: 20_000 }, (_, place) => ({
      ...round!,
      number: place + 1,
      start: place,
      answered: place,
      end: place + 1,
    }));
    expect(renderSvg({ ...timeline, rounds, duration: 20_000 }).length).toBeLessThan(600_000);
  });

  it.each<[object]>([[{ width: 100 }], [{ theme: 'blue' }], [{ maxCalls: 0 }], [{ colour: 1 }]])(
    'refuses options that can not work: %j',
    (options) => {
      expect(() => renderSvg(samples.textOnly().timeline, options)).toThrow('renderSvg');
    },
  );
});

function expectWithin(element: XmlElement, width: number, height: number): void {
  const { class: kinds = '', x, y, 'text-anchor': anchor } = element.attributes;
  const font: Font = kinds.includes('label') ? 'mono' : kinds.includes('title') ? 'bold' : 'sans';
  const size = kinds.includes('title')
    ? 15
    : kinds.includes('label') || kinds.includes('headline') || kinds.includes('problem')
      ? 12
      : 11;
  const length = estimatedWidth(textOf(element), size, font);
  const left = Number(x) - (anchor === 'end' ? length : anchor === 'middle' ? length / 2 : 0);
  expect(left).toBeGreaterThanOrEqual(0);
  expect(left + length).toBeLessThanOrEqual(width);
  expect(Number(y)).toBeLessThan(height);
}

describe.each([
  ['light', light],
  ['dark', dark],
])('the %s palette', (_, palette: Palette) => {
  it('has a contrast of at least 4.5 for all text, and of 3 for the signs on marks', () => {
    const { ground, band, ink, muted, error, ok, stopped, undone, attention, text } = palette;
    for (const paper of [ground, band])
      for (const colour of [ink, muted, error]) expect(contrast(colour, paper)).toBeGreaterThanOrEqual(4.5);
    // Notes inside of bars.
    for (const bar of [ok, error, stopped]) expect(contrast(ground, bar)).toBeGreaterThanOrEqual(4.5);
    for (const mark of [undone, attention, text[1]]) expect(contrast(ground, mark)).toBeGreaterThanOrEqual(3);
  });
});

/** As the WCAG defines it. */
function contrast(one: string, other: string): number {
  const [lighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter! + 0.05) / (darker! + 0.05);
}

function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((place) => {
    const part = parseInt(colour.slice(place, place + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}
