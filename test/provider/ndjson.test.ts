import fc from 'fast-check';
import { concat, config, from, map, of, take, throwError } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import { ndjson } from '../../src/provider/ndjson.ts';
import { marbleSource } from '../../src/testing/marbles.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { collected } from './collected.ts';
import { cutAt } from './cut-at.ts';

const tooLarge = new Error('too large');
const options = { maxEventSize: 100, tooLarge: () => tooLarge, noEvent: (head: string) => new Error(`no event in: ${head}`) };

const dataOf = (pieces: readonly string[]) =>
  collected(
    from(pieces).pipe(
      ndjson(options),
      map(({ data }) => data),
    ),
  );

describe('ndjson', () => {
  afterEach(() => {
    config.onUnhandledError = null;
  });

  it('emits each line when its end comes, and the last one also without', () => {
    runMarbles(({ record }) => {
      const texts: Record<string, string> = { x: '{"a":1}\n{', y: '"b":2}' };
      const text$ = marbleSource('-x--y-|', (symbol) => ({ value: texts[symbol]! }));
      record(text$.pipe(ndjson(options)), ({ data }) => data[2]!).toBe('-a----(b|)');
    });
  });

  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
  ])('takes lines that end with %s, with blank ones between them', (_, end) => {
    expect(dataOf([['{"a":1}', '', '  ', '{"b":2}', ''].join(end)])).toEqual({
      values: ['{"a":1}', '{"b":2}'],
      error: undefined,
      isComplete: true,
    });
  });

  it('emits the same lines, however the body is cut', () => {
    const line = fc.oneof(
      fc.json({ maxDepth: 1, noUnicodeString: false }).filter(({ length }) => length < 90),
      fc.constantFrom('', ' '),
    );
    const end = fc.constantFrom('\n', '\r\n', '\n\n');
    const body = fc.tuple(fc.array(line, { maxLength: 8 }), end, fc.boolean());
    fc.assert(
      fc.property(body, fc.array(fc.nat(400), { maxLength: 8 }), ([lines, lineEnd, endsWithEnd], cuts) => {
        const text = lines.join(lineEnd) + (endsWithEnd ? lineEnd : '');
        const whole = dataOf([text]);
        expect(whole.values).toEqual(lines.map((written) => written.trim()).filter(Boolean));
        expect(dataOf(cutAt(text, cuts))).toEqual(whole);
      }),
    );
  });

  it('comes to the same for any text, however it is cut', () => {
    const piece = fc.constantFrom('{', '}', '{"a":1}', '\n', '\r', ' ', '<html>', 'x', '"', 'null', '\u2028');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.array(fc.nat(120), { maxLength: 6 }), (pieces, cuts) => {
        const text = pieces.join('');
        expect(dataOf(cutAt(text, cuts))).toEqual(dataOf([text]));
      }),
    );
  });

  it('takes a line separator of Unicode within a text for what it is', () => {
    expect(dataOf(['{"a":"x\u2028y\u0085z"}\n']).values).toEqual(['{"a":"x\u2028y\u0085z"}']);
  });

  it.each([
    ['a page', ['<html>\n', '<p>login</p>\n</html>'], '<html>\n<p>login</p>\n</html>'],
    ['a page in one line', ['<html>', 'login</html>'], '<html>login</html>\n'],
    ['an error over several lines', ['{\n  "error"', ': "no"\n}\n'], '{\n  "error": "no"\n}\n'],
    ['nothing', [], ''],
    ['blanks', ['\n', ' \r\n'], ''],
  ])('says what came instead when the body is %s', (_, pieces, head) => {
    expect(dataOf(pieces)).toEqual({ values: [], error: new Error(`no event in: ${head}`), isComplete: false });
  });

  it('does not keep the whole of a body that is something else', () => {
    const lines = Array.from({ length: 1000 }, () => `${'x'.repeat(98)}\n`);
    const { error } = dataOf(lines);
    expect((error as Error).message.length).toBeLessThan(5000);
    expect(error).toEqual(dataOf([lines.join('')]).error);
  });

  it('hands over a line that was cut off as it is, for its reader to judge', () => {
    expect(dataOf(['{"message":{"con'])).toEqual({ values: ['{"message":{"con'], error: undefined, isComplete: true });
    expect(dataOf(['{"a":1}\n{"b'])).toEqual({ values: ['{"a":1}', '{"b'], error: undefined, isComplete: true });
  });

  it('hands over the lines behind a broken first one, so that it is not taken for one that was cut off', () => {
    expect(dataOf(['{"a":\n', '{"b":2}\n\n{"c":3}'])).toEqual({
      values: ['{"a":', '{"b":2}', '{"c":3}'],
      error: undefined,
      isComplete: true,
    });
  });

  it('[G38] fails when a line grows beyond the limit without an end', () => {
    runMarbles(({ record, at }) => {
      const texts: Record<string, string> = { o: '{"o":1}\n', l: 'x'.repeat(60) };
      const text$ = marbleSource('-o-l-l-l|', (symbol) => ({ value: texts[symbol]! }));
      const recording = record(text$.pipe(ndjson(options)), ({ data }) => data[2]!).toBe('-o---#');
      at(20, () => expect(recording.error).toBe(tooLarge));
    });
  });

  it('measures each line by itself', () => {
    const lines = Array.from({ length: 50 }, () => `"${'x'.repeat(98)}"\n`);
    expect(dataOf([lines.join('')]).values).toHaveLength(50);
    expect(dataOf([`"${'x'.repeat(99)}"\n`]).error).toBe(tooLarge);
  });

  it('is done once it has failed, also with a source that goes on at once', () => {
    const unhandled: unknown[] = [];
    config.onUnhandledError = (error) => unhandled.push(error);
    runMarbles(({ record }) => {
      record(of(`${'x'.repeat(120)}\n{"a":1}\n`, '{"a":1}\n').pipe(ndjson(options))).toBe('#');
    });
    expect(unhandled).toEqual([]);
  });

  it('emits nothing more to a consumer that leaves within a chunk', () => {
    const first$ = of('{"a":1}\n{"b":2}\n', '{"c":3}\n').pipe(ndjson(options), take(1));
    expect(collected(first$)).toEqual({ values: [{ data: '{"a":1}' }], error: undefined, isComplete: true });
  });

  it('passes the error of a broken body on, and emits no line that is not whole', () => {
    const lost = new Error('lost');
    const broken$ = concat(
      of('{"a":1}\n{"b"'),
      throwError(() => lost),
    );
    expect(
      collected(
        broken$.pipe(
          ndjson(options),
          map(({ data }) => data),
        ),
      ),
    ).toEqual({ values: ['{"a":1}'], error: lost, isComplete: false });
  });
});
