import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutToWidth, textWidth } from '../../src/timeline/layout/text-width.ts';
import { printable } from '../../src/timeline/layout/printable.ts';
import { renderAscii } from '../../src/timeline/render-ascii.ts';
import { anyTimeline, hostileText } from './arbitrary.ts';
import { samples } from './samples.ts';

/** A drawing as it stands in a test: without the margin that the code has. */
const drawing = (text: string): string => {
  const lines = text.split('\n').slice(1, -1);
  const margin = Math.min(...lines.filter((line) => line.trim()).map((line) => line.search(/\S/)));
  return lines.map((line) => line.slice(margin)).join('\n');
};

describe('renderAscii', () => {
  it('shows what ran beside what, from when to when', () => {
    expect(renderAscii(samples.concurrentTools().timeline, { width: 60 })).toBe(
      drawing(`
        travel assistant  completed in 2.81 s · 2 rounds · 2 tool c…

                  ╷0               ╷1 s              ╷2 s
        round     ┊1                           ┊2
        model     ······░░░░░█▒▒▒▒             ······██████████████✔
        weather                ━━━━•━━━•━━━•━━━✔ 900 ms
        timetable                ━━━━━━━━━━━✔ 600 ms

        · waiting for the model   ░ thoughts   █ text
        ▒ writing a call   ━ tool runs   • progress   ✔ result
      `),
    );
  });

  it('shows what waited for its turn', () => {
    expect(renderAscii(samples.oneAtATime().timeline, { width: 60 })).toContain(
      drawing(`
        search_the_web_fo…     ╌╌╌╌╌━━━•━━•━━✔ 700 ms      ┊
        read_file              ╌╌╌╌╌╌╌╌╌╌╌╌╌╌━━━✔ 300 ms   ┊
        summarise              ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌━━━━━━━━━━━✔ 900 ms
      `),
    );
  });

  it('shows what was undone, and why', () => {
    expect(renderAscii(samples.transferUndone().timeline, { title: 'A transfer' })).toContain(
      drawing(`
        credit                 ━━━━━━━━✔┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈↶ 250 ms, undone
        debit                      ━━━━━━━━━━━━━━━━━━✖ 500 ms: There is too little mone…
      `),
    );
  });

  it('draws the last value of a tool as its result, also where a clock went on in between', () => {
    const { timeline } = samples.transferUndone();
    const telling = (ms: number) =>
      timeline.calls
        .filter(({ outcome }) => outcome === 'ok')
        .map((called) => ({ ...called, progress: [{ at: called.end! - ms, value: called.result! }], progressCount: 1 }));
    const calls = telling(1);
    const widths = Array.from({ length: 60 }, (_, place) => 40 + place);
    expect(widths.filter((width) => renderAscii({ ...timeline, calls }, { width }).includes('•'))).toEqual([]);
    expect(renderAscii({ ...timeline, calls: telling(100) })).toContain('•');
  });

  it('shows who was asked, and what was denied', () => {
    expect(renderAscii(samples.approvals().timeline)).toContain(
      drawing(`
        send_mail                ??????????????????????????????━━━━━━━━━━━✔ 400 ms
        delete_all               ???????????????????????????????⊘ denied: The call was…
      `),
    );
  });

  it('shows retries, and what was dropped when a round was asked for again', () => {
    expect(renderAscii(samples.troubles().timeline)).toContain(
      drawing(`
        round        ┊1 (dropped)                   ┊1                ┊2
        model =======········↻:::::::::::::::╱╱╱╱╱╱╱↺······██▒        ······███████████✔
        check                                       ┊        ━━━━━━━━━✔ 500 ms
      `),
    );
  });

  it('says why an invocation failed', () => {
    const [first, second] = renderAscii(samples.failed().timeline).split('\n');
    expect(first).toBe('reporter  failed after 1.68 s · 1 round · 3 tool calls');
    expect(second).toBe('413 Payload too large: the report has 12,000 pages, and the server takes no mor…');
  });

  it('tells in the legend only what occurs', () => {
    const legend = renderAscii(samples.textOnly().timeline).split('\n').at(-1);
    expect(legend).toBe('· waiting for the model   █ text   ✔ result');
  });

  it('stays readable where no time passes', () => {
    expect(renderAscii(samples.instant().timeline)).toContain('model ✔\na     ✔ 0 ms');
  });

  it('stays readable where a tool takes hours', () => {
    expect(renderAscii(samples.long().timeline)).toMatch(/╷0 +╷1 h +╷2 h +╷3 h +╷4 h/);
  });

  it('draws of very many calls those that failed and the first, and says how many more there are', () => {
    const lines = renderAscii(samples.crowd().timeline, { maxCalls: 10 }).split('\n');
    expect(lines.filter((line) => line.startsWith('page_'))).toHaveLength(4);
    expect(lines.filter((line) => line.startsWith('flaky'))).toHaveLength(5);
    expect(lines.find((line) => line.startsWith('+ '))).toMatch(/^\+ 191 more +━+/);
  });

  it('draws the same with colours as without', () => {
    for (const sample of Object.values(samples)) {
      const { timeline } = sample();
      const painted = renderAscii(timeline, { color: true });
      expect(painted).toContain('\u001b[');
      expect(painted.replace(/\u001b\[\d+m/g, '').replace(/ +$/gm, '')).toBe(renderAscii(timeline));
    }
  });

  it('is never wider than it may be, nor acts on the terminal, whatever the timeline holds', () => {
    fc.assert(
      fc.property(anyTimeline, fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 12 }), (timeline, width, maxCalls) => {
        const drawn = renderAscii(timeline, { width, maxCalls });
        for (const line of drawn.split('\n')) {
          expect(columnsOf(line)).toBeLessThanOrEqual(width);
          expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
        }
      }),
      { numRuns: 300 },
    );
  });

  it.each<[object]>([[{ width: 0 }], [{ width: 1.5 }], [{ maxCalls: 0 }], [{ color: 'yes' }], [{ colour: true }]])(
    'refuses options that can not work: %j',
    (options) => {
      expect(() => renderAscii(samples.textOnly().timeline, options)).toThrow('renderAscii');
    },
  );
});

/** As terminals count, told otherwise than the code does: accents nothing, wide characters two but for halfwidth forms. */
function columnsOf(line: string): number {
  const isWide = (character: string) =>
    !/[\uff61-\uffdc]/.test(character) &&
    /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\p{Emoji_Presentation}]/u.test(character);
  return [...line].reduce((sum, character) => sum + (/\p{Mn}/u.test(character) ? 0 : isWide(character) ? 2 : 1), 0);
}

describe('the width of a text', () => {
  it.each([
    ['weather', 7],
    ['天気', 4],
    ['한국어', 6],
    ['ｗｉｄｅ', 8],
    ['a👍b', 4],
    ['e\u0301', 1],
    ['z\u0323\u0301', 1],
    ['नमस्ते', 4],
  ])('counts %s as %i columns', (text, width) => {
    expect(textWidth(text)).toBe(width);
  });

  it('replaces what terminals do not agree on: flags, skin tones, families, hearts', () => {
    expect(['🇫🇷', '👍🏽', '👩‍👩‍👧', '❤️', '1️⃣'].map(printable)).toEqual(['FR', '👍', '👩👩👧', '❤', '1']);
  });

  it('leaves no character that has no look of its own, but may act', () => {
    const acting = [
      '\u00ad',
      '\u0600',
      '\u070f',
      '\u200b',
      '\u202e',
      '\u2066',
      '\ufeff',
      '\u{110bd}',
      '\u{e0041}',
      '\u0007',
      '\u009b',
    ];
    expect(acting.map((character) => printable(`a${character}b`))).toEqual(acting.map(() => 'ab'));
  });

  it('cuts any text to any width, with an ellipsis where something is missing', () => {
    fc.assert(
      fc.property(hostileText.map(printable), fc.nat(30), (text, width) => {
        const cut = cutToWidth(text, width);
        expect(textWidth(cut)).toBeLessThanOrEqual(width);
        if (cut !== text && width > 0) expect(cut.endsWith('…')).toBe(true);
      }),
    );
  });
});
