import { concat, of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { paintFor } from '../../src/demo/paint.ts';
import type { Passage } from '../../src/demo/passage.ts';
import { typeset } from '../../src/demo/typeset.ts';

const unpainted = paintFor({ isTTY: false }, {});

function set(passages: readonly Passage[], { columns = 40, paint = unpainted } = {}): readonly string[] {
  const pieces: string[] = [];
  of(...passages)
    .pipe(typeset({ columns, paint }))
    .subscribe({ next: (piece) => pieces.push(piece), error: (error: unknown) => expect(error).toBeUndefined() });
  return pieces;
}

const text = (...pieces: readonly string[]): readonly Passage[] => pieces.map((piece) => ({ type: 'text', text: piece }));
const line: Passage = { type: 'line', at: 1234, mark: 'start', title: 'clock', detail: 'a detail' };

describe('text', () => {
  it('is written word by word, as soon as a word is whole', () => {
    expect(set(text('One wo', 'rd and', ' more'))).toEqual(['          One', ' word', ' and', ' more\n']);
  });

  it('is wrapped at the width of the terminal, whatever the pieces', () => {
    const prose = 'A text that is longer than one line of the page is wrapped between words.';
    const expected =
      '          A text that is longer than one\n          line of the page is wrapped\n          between words.\n';
    expect(set(text(prose)).join('')).toBe(expected);
    expect(set(text(...prose)).join('')).toBe(expected);
  });

  it('keeps its own lines, blank ones and indented ones too', () => {
    expect(set(text('a:\n', '  - b\n\nc')).join('')).toBe('          a:\n            - b\n\n          c\n');
  });

  it('does not wait for a blank where a script has none, nor for the end of a word that fills a line', () => {
    expect(set(text('東京', 'です'))).toEqual(['          東', '京で', 'す\n']);
    expect(set(text('x'.repeat(70))).join('')).toBe(`          ${'x'.repeat(30)}\n`.repeat(2) + `          ${'x'.repeat(10)}\n`);
  });

  it('can not take over the terminal', () => {
    expect(set(text('\u001b[2Jred\u0007 \u009b1m')).join('')).toBe('          [2Jred 1m\n');
  });

  it('ends its line also when an error follows, and the error goes on', () => {
    const seen: unknown[] = [];
    concat(
      of(...text('half a wo')),
      throwError(() => new Error('broken')),
    )
      .pipe(typeset({ columns: 40, paint: unpainted }))
      .subscribe({ next: (piece) => seen.push(piece), error: (error: unknown) => seen.push((error as Error).message) });
    expect(seen).toEqual(['          half a', ' wo\n', 'broken']);
  });
});

describe('a line', () => {
  it('stands alone: the text is ended before it and goes on below it', () => {
    expect(set([...text('before '), line, ...text(' after')]).join('')).toBe(
      '          before\n  1.23 s  ▶ clock          a detail\n          after\n',
    );
  });

  it('that comes from elsewhere never cuts a word in two', () => {
    expect(set([...text('one tw'), { ...line, isAside: true }, ...text('o three')]).join('')).toBe(
      '          one\n  1.23 s  ▶ clock          a detail\n          two three\n',
    );
  });

  it('is no longer than the terminal is wide, and stays one line', () => {
    const [set1] = set([{ ...line, detail: 'long\nand '.repeat(10) }], { columns: 40 });
    expect(set1).toBe('  1.23 s  ▶ clock          long and lon…\n');
    expect(set1!.trimEnd()).toHaveLength(40);
  });
});

describe('colours', () => {
  const terminal = { isTTY: true, hasColors: (_: unknown, env?: object) => !(env && 'NO_COLOR' in env) };

  it('are there for a terminal that has them', () => {
    expect(set([line], { paint: paintFor(terminal, {}) })).toEqual([
      '\u001b[2m  1.23 s\u001b[22m  \u001b[36m▶\u001b[39m clock          a detail\n',
    ]);
  });

  it('are left out in a pipe, and where NO_COLOR is set', () => {
    const plain = ['  1.23 s  ▶ clock          a detail\n'];
    expect(set([line], { paint: paintFor({}, {}) })).toEqual(plain);
    expect(set([line], { paint: paintFor(terminal, { NO_COLOR: '1' }) })).toEqual(plain);
  });

  it('change nothing about the width', () => {
    const painted = set([{ ...line, detail: 'long '.repeat(10) }], { paint: paintFor(terminal, {}) }).join('');
    expect(painted.replace(/\u001b\[\d+m/g, '').trimEnd()).toHaveLength(40);
  });
});
