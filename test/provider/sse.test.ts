import fc from 'fast-check';
import { concat, config, from, map, of, Subject, throwError } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import { sse } from '../../src/provider/sse.ts';
import { marbleSource } from '../../src/testing/marbles.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { collected } from './collected.ts';

const tooLarge = new Error('too large');
const options = { maxEventSize: 100, tooLarge: () => tooLarge, noEvent: (head: string) => new Error(`no event in: ${head}`) };

const dataOf = (...pieces: string[]) =>
  collected(
    from(pieces).pipe(
      sse(options),
      map(({ data }) => data),
    ),
  );

describe('sse', () => {
  afterEach(() => {
    config.onUnhandledError = null;
  });

  it('emits each event when its blank line comes, and the last one also without', () => {
    runMarbles(({ record }) => {
      const texts: Record<string, string> = { x: 'data: 1\n\n', y: ': ping\n\ndata:', z: ' 2' };
      const text$ = marbleSource('-x--y-z|', (symbol) => ({ value: texts[symbol]! }));
      record(text$.pipe(sse(options)), ({ data }) => data).toBe('-1-----(2|)');
    });
  });

  it('[G38] refuses an event that is too long, though it comes whole', () => {
    expect(collected(of(`data: ${'x'.repeat(101)}\n\n`).pipe(sse(options))).error).toBe(tooLarge);
    expect(dataOf(`data: ${'x'.repeat(100)}\n\n`).values).toHaveLength(1);
  });

  it('reads no more of a page that is no stream than what is shown of it', () => {
    const page = new Subject<string>();
    let error: unknown;
    page.pipe(sse({ ...options, maxEventSize: 1e9 })).subscribe({ error: (thrown: unknown) => (error = thrown) });
    let read = 0;
    for (; read < 1000 && page.observed; read++) page.next(`<p>data ${read}</p>\n`);
    expect((error as Error).message).toMatch(/^no event in: <p>data 0/);
    expect(read).toBeLessThan(400);
  });

  it('joins the data lines of one event, and tells its name', () => {
    const { values } = collected(of('event: error\nid: 7\nretry: 5\ndata: a\ndata:b\n\n').pipe(sse(options)));
    expect(values).toEqual([expect.objectContaining({ event: 'error', data: 'a\nb' })]);
  });

  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('takes lines that end with %s, wherever they are cut', (_, end) => {
    const text = ['data: 1', '', ': ping', '', 'data:2', '', ''].join(end);
    fc.assert(
      fc.property(fc.nat(text.length), (cut) => {
        expect(dataOf(text.slice(0, cut), text.slice(cut))).toEqual({ values: ['1', '2'], error: undefined, isComplete: true });
      }),
    );
  });

  it('says what came instead when there was no event', () => {
    expect(dataOf('<html>', 'login</html>').error).toEqual(new Error('no event in: <html>login</html>'));
    expect(dataOf().error).toEqual(new Error('no event in: '));
    expect(dataOf(': ping\n\n').error).toEqual(new Error('no event in: : ping\n\n'));
  });

  it('does not keep the whole of a body without events', () => {
    const { error } = collected(from(Array.from({ length: 100 }, () => `:${'x'.repeat(98)}\n`)).pipe(sse(options)));
    expect((error as Error).message.length).toBeLessThan(5000);
  });

  it('[G38] fails when a line grows beyond the limit without an end', () => {
    runMarbles(({ record, at }) => {
      const texts: Record<string, string> = { o: 'data: o\n\n', l: `data: ${'x'.repeat(60)}` };
      const text$ = marbleSource('-o-l-l-l|', (symbol) => ({ value: texts[symbol]! }));
      const recording = record(text$.pipe(sse(options)), ({ data }) => data).toBe('-o---#');
      at(20, () => expect(recording.error).toBe(tooLarge));
    });
  });

  it('[G38] fails when an event grows beyond the limit without a blank line', () => {
    runMarbles(({ record, at }) => {
      const text$ = marbleSource('-l-l-l-l-l|', () => ({ value: `data: ${'x'.repeat(40)}\n` }));
      const recording = record(text$.pipe(sse(options))).toBe('-----#');
      at(20, () => expect(recording.error).toBe(tooLarge));
    });
  });

  it('is done once it has failed, also with a source that goes on at once', () => {
    const unhandled: unknown[] = [];
    config.onUnhandledError = (error) => unhandled.push(error);
    runMarbles(({ record }) => {
      record(of(`data: ${'x'.repeat(120)}`, 'x', '\n\n').pipe(sse(options))).toBe('#');
    });
    expect(unhandled).toEqual([]);
  });

  it('passes the error of a broken body on, and emits no event that is not whole', () => {
    const lost = new Error('lost');
    const broken$ = concat(
      of('data: 1\n\ndata: 2'),
      throwError(() => lost),
    );
    expect(
      collected(
        broken$.pipe(
          sse(options),
          map(({ data }) => data),
        ),
      ),
    ).toEqual({ values: ['1'], error: lost, isComplete: false });
  });
});
