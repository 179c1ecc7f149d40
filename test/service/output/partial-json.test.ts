import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partialJson } from '../../../src/service/output/partial-json.ts';
import { withoutPrototypeKeys } from '../../../src/tool/prototype-keys.ts';

/** What is shown after each piece. */
function shown(pieces: readonly string[]): readonly unknown[] {
  const reader = partialJson();
  return pieces.map((piece) => reader.push(piece));
}

/** What is shown when the text has come at once. */
const shownAtOnce = (text: string): unknown => partialJson().push(text);

/** What is shown when the text has come character by character. */
const shownLast = (text: string): unknown => shown(text.split('')).at(-1);

function cut(text: string, places: readonly number[]): readonly string[] {
  const sorted = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [...sorted, text.length].map((end, index) => text.slice(sorted[index - 1] ?? 0, end));
}

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  Object.values(value).forEach(deepFreeze);
}

function isBeginningOf(early: unknown, late: unknown): boolean {
  if (early === undefined) return true;
  if (typeof early === 'string') return typeof late === 'string' && late.startsWith(early);
  if (Array.isArray(early))
    return Array.isArray(late) && early.length <= late.length && early.every((item, place) => isBeginningOf(item, late[place]));
  if (typeof early === 'object' && early !== null)
    return Object.entries(early).every(
      ([key, value]) => Object.hasOwn(late as object, key) && isBeginningOf(value, (late as Record<string, unknown>)[key]),
    );
  return Object.is(early, late);
}

// The V8 of Chromium 150 and of Node 24 takes an escape in a key for a backslash, if a backslash was the only key that it
// has seen at that place (nodejs/node#63785). Where JSON.parse can't be trusted there are no such keys.
const seenKeys = ['\\', '\n'].map((key) => Object.keys(JSON.parse(`{"first":0,${JSON.stringify(key)}:0}`) as object)[1]);
const isTrusted = seenKeys[1] === '\n';
const keys = fc
  .oneof(fc.string({ unit: 'binary', maxLength: 4 }), fc.constantFrom('a', 'b', '"', '\\', 'ключ', '😀'))
  .filter((key) => isTrusted || !key.endsWith('\\'));
const values = fc.letrec<{ value: unknown; object: unknown; array: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'binary' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.constantFrom(null, true, false, '', '😀😀', '{"a":1}', '\ud83d', '\ude00', '\n"\\/', 1e21, -0.5e-7, 0),
    tie('object'),
    tie('array'),
  ),
  object: fc.dictionary(keys, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  array: fc.array(tie('value'), { maxLength: 4 }),
}));
const roots = fc.oneof(values.object, values.array);

const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
const escapeAll = (string: string) => `"${(JSON.parse(string) as string).replace(/[^]/g, escape)}"`;

/** JSON text of a value, with blanks, and with escapes for characters that need none. */
const texts = fc
  .record({ root: roots, blanks: fc.constantFrom(0, 1, '\t'), isEscaped: fc.boolean() })
  .map(({ root, blanks, isEscaped }) => {
    const text = JSON.stringify(root, null, blanks);
    return isEscaped ? text.replace(/"(?:[^"\\]|\\.)*"/g, escapeAll) : text;
  });
const places = fc.array(fc.nat(5000), { maxLength: 30 });

describe('JSON that comes in pieces', () => {
  it('is in the end what JSON.parse makes of it, wherever it was cut', () => {
    fc.assert(
      fc.property(texts, places, (text, cuts) => {
        expect(shown(cut(text, cuts)).at(-1)).toEqual(withoutPrototypeKeys(text, JSON.parse(text)));
      }),
      { numRuns: 300 },
    );
  });

  it('is shown in values that are each a beginning of the next, and that never change', () => {
    fc.assert(
      fc.property(texts, places, (text, cuts) => {
        const reader = partialJson();
        const snapshots: unknown[] = [];
        const copies: unknown[] = [];
        for (const piece of cut(text, cuts)) {
          const snapshot = reader.push(piece);
          deepFreeze(snapshot);
          snapshots.push(snapshot);
          copies.push(structuredClone(snapshot));
        }
        expect(snapshots).toEqual(copies);
        for (const [place, later] of snapshots.slice(1).entries()) expect(isBeginningOf(snapshots[place], later)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('is shown the same however what has come was cut', () => {
    fc.assert(
      fc.property(texts, fc.nat(), places, (text, length, cuts) => {
        const begun = text.slice(0, length % (text.length + 1));
        expect(shown(cut(begun, cuts)).at(-1)).toEqual(shownAtOnce(begun));
      }),
      { numRuns: 300 },
    );
  });

  it.each<[what: string, text: string, value: unknown]>([
    ['nothing', '', undefined],
    ['an object that has begun', '{', {}],
    ['no half-written key', '{"a":1,"b', { a: 1 }],
    ['no key whose value has not begun', '{"a":1,"b":', { a: 1 }],
    ['a string that has begun', '{"a":"', { a: '' }],
    ['a string as far as it has come', '{"a":"hel', { a: 'hel' }],
    ['no number that may go on', '{"a":1', {}],
    ['no number that may go on in an array', '[1,2.5', [1]],
    ['a number that is over', '{"a":1 ', { a: 1 }],
    ['no half of a literal', '[tru', []],
    ['a whole literal', '[true', [true]],
    ['containers in containers', '{"a":[{"b":[[', { a: [{ b: [[]] }] }],
    ['no half of an escape', String.raw`["a\u00e`, ['a']],
    ['no backslash that waits for its letter', '["a\\', ['a']],
    ['every escape', String.raw`["\"\\\/\b\f\n\r\t\u00e4`, ['"\\/\b\f\n\r\tä']],
    ['no half of a surrogate pair', String.raw`["a\ud83d`, ['a']],
    ['no half of a raw surrogate pair', '["a\ud83d', ['a']],
    ['a pair that is whole', String.raw`["\ud83d\ude00`, ['😀']],
    ['half a pair that the string ends with', String.raw`["\ud83d"`, ['\ud83d']],
    ['half a pair that something else follows', String.raw`["\ud83dx`, ['\ud83dx']],
    ['the last of a key that comes twice', '{"a":1,"b":2,"a":3}', { a: 3, b: 2 }],
  ])('shows %s: %s', (_, text, value) => {
    expect(shownLast(text)).toEqual(value);
    expect(shownAtOnce(text)).toEqual(value);
  });

  it('shares between two values whatever is the same', () => {
    const [first, second] = shown(['{"done":{"a":[1]},"list":[{"x":1},{"text":"a', 'b"},{"y":']) as {
      done: object;
      list: object[];
    }[];
    expect(second).toEqual({ done: { a: [1] }, list: [{ x: 1 }, { text: 'ab' }, {}] });
    expect(second).not.toBe(first);
    expect(second!.done).toBe(first!.done);
    expect(second!.list[0]).toBe(first!.list[0]);
    expect(second!.list[1]).not.toBe(first!.list[1]);
  });

  it('gives the same value again for a piece that adds nothing', () => {
    const [first, ...others] = shown(['{"a":[1,', ' ', '\n', '2', '3', '']);
    for (const other of others) expect(other).toBe(first);
  });

  it.each([
    ['a code fence', '```json\n{"a":"b"}\n```'],
    ['words', 'Here you are: {"a":"b"} Is there anything else?'],
    ['another object behind it', '{"a":"b"}{"c":"d"}'],
    ['template tokens', '{"a":"b"}<|im_end|>'],
  ])('may have %s around it', (_, text) => {
    expect(shownAtOnce(text)).toEqual({ a: 'b' });
    expect(shownLast(text)).toEqual({ a: 'b' });
  });

  it.each<[what: string, text: string, value: unknown]>([
    ['a trailing comma in an object', '{"a":1,}', { a: 1 }],
    ['a trailing comma in an array', '[[1,2,],]', [[1, 2]]],
    ['a raw line break in a string', '["a\nb"]', ['a\nb']],
  ])('is read over a slip that can be mended: %s', (_, text, value) => {
    expect(shownLast(text)).toEqual(value);
  });

  it.each<[text: string, value: unknown]>([
    ['{"a":1 "b":2}', { a: 1 }],
    ['{"a":1,b:2}', { a: 1 }],
    ['{"a" 1}', {}],
    ['{"a":1]', { a: 1 }],
    ['[1}', [1]],
    ['[1,,2]', [1]],
    ['[01]', []],
    ['[1,-]', [1]],
    ['[1,tru]', [1]],
    ['[1,nulll]', [1, null]],
    ['[1,undefined]', [1]],
    ['{"a":}', {}],
    [String.raw`["a\x41b"]`, ['a']],
    [String.raw`["a\u00zzb"]`, ['a']],
    ["['a']", []],
  ])('that is malformed stays where it was: %s', (text, value) => {
    expect(shownLast(text)).toEqual(value);
    expect(shown([text, '{"late":1}'])).toEqual([value, value]);
  });

  it('never reaches a prototype', () => {
    const text = '{"__proto__":{"bad":1},"a":{"__proto__":"bad","b":1},"\\u005f_proto__":[1,{"c":2}],"z":1}';
    for (const value of [shownAtOnce(text), shownLast(text)]) {
      expect(value).toEqual({ a: { b: 1 }, z: 1 });
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(Object.keys(value as object)).toEqual(['a', 'z']);
    }
    expect({}).not.toHaveProperty('bad');
  });

  it('leaves out the same keys as the arguments of tools', () => {
    for (const text of [
      '{"constructor":"a team","prototype":1}',
      '{"constructor":{"name":"x"}}',
      '{"constructor":{"name":"x","prototype":{"bad":1},"more":[1]},"z":[1]}',
      '[{"constructor":{"constructor":{"prototype":1}}},{"constructor":[{"prototype":1}]}]',
      '{"constructor":{"prototype":1},"constructor":5}',
    ]) {
      expect(shownLast(text)).toEqual(withoutPrototypeKeys(text, JSON.parse(text)));
      expect(shownAtOnce(text)).toEqual(withoutPrototypeKeys(text, JSON.parse(text)));
    }
  });

  it('may be nested as deep as it likes', () => {
    const depth = 20_000;
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const [begun, whole] = shown([open.repeat(depth) + '[', ']' + close.repeat(depth)]);
      let levels = 0;
      for (let inner = whole as Record<string, unknown> | unknown[]; ; levels++) {
        const next = Array.isArray(inner) ? inner[0] : inner['a'];
        if (next === undefined) break;
        inner = next as Record<string, unknown>;
      }
      expect(levels).toBe(depth);
      // Nothing was added but brackets: it is the same value.
      expect(whole === begun).toBe(true);
    }
  });

  it('may have numbers and strings that are long', () => {
    expect(shownLast(`[${'1'.repeat(50_000)}]`)).toEqual([Infinity]);
    expect(shownLast(`["${'\\n'.repeat(50_000)}"]`)).toEqual(['\n'.repeat(50_000)]);
  });
});
