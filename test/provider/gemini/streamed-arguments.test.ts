import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonPath, type JsonPath } from '../../../src/provider/gemini/json-path.ts';
import { streamedArguments } from '../../../src/provider/gemini/streamed-arguments.ts';

type Told = readonly [path: string, value: unknown];

/** The pieces of the JSON text that these values become. */
function written(...told: readonly Told[]): readonly string[] {
  const written = streamedArguments();
  return [...told.map(([path, value]) => written.add(jsonPath(path)!, value)), written.end()];
}

const read = (pieces: readonly string[]): unknown => JSON.parse(pieces.join(''));

describe('arguments that come value by value', () => {
  it('are told as JSON text while they come', () => {
    expect(
      written(
        ['$.id', 'scr'],
        ['$.id', 'een-A'],
        ['$.opts.zoom', 2],
        ['$.opts.on', true],
        ['$.tags[0]', 'x'],
        ['$.tags[1]', null],
      ),
    ).toEqual(['{"id":"scr', 'een-A', '","opts":{"zoom":2', ',"on":true', '},"tags":["x', '",null', ']}']);
  });

  it('are an empty object when none came', () => {
    expect(written()).toEqual(['{}']);
  });

  it('keep what a text holds, be it cut within a character', () => {
    expect(read(written(['$.a', 'say "x"\n\ud83d'], ['$.a', '\ude00']))).toEqual({ a: 'say "x"\n\u{1f600}' });
  });

  it.each<[string, readonly Told[], unknown]>([
    [
      'texts that take turns',
      [
        ['$.a', 'wa'],
        ['$.b[0].c', 'la'],
        ['$.a', 'rm'],
        ['$.b[0].c', 'mp'],
      ],
      { a: 'warm', b: [{ c: 'lamp' }] },
    ],
    [
      'a place before one that was told',
      [
        ['$.a[1]', 2],
        ['$.a[0]', 1],
      ],
      { a: [1, 2] },
    ],
    ['a place that is never told', [['$.a[1]', 2]], { a: [null, 2] }],
    [
      'a list that is gone back to',
      [
        ['$.a[0].x', 1],
        ['$.b', 2],
        ['$.a[0].y', 3],
      ],
      { a: [{ x: 1, y: 3 }], b: 2 },
    ],
    [
      'a value in the place of another kind',
      [
        ['$.a', 1],
        ['$.a.b', 2],
        ['$.c[0]', 3],
        ['$.c.d', 4],
      ],
      { a: { b: 2 }, c: { d: 4 } },
    ],
    [
      'a number told once more',
      [
        ['$.a', 1],
        ['$.a', 2],
      ],
      { a: 2 },
    ],
    ['whole objects', [['$.a', { b: [1, { c: 'x' }], d: {}, e: [] }]], { a: { b: [1, { c: 'x' }], d: {}, e: [] } }],
  ])('may come as %s', (_, told, expected) => {
    expect(read(written(...told))).toEqual(expected);
  });

  it('replace what was told of a key, where its whole value comes', () => {
    const pieces = streamedArguments();
    const text = [pieces.add(['a'], 'x'), pieces.set('a', { b: 'whole' }), pieces.set('c', 1), pieces.end()];
    expect(read(text)).toEqual({ a: { b: 'whole' }, c: 1 });
  });

  it('never reach a prototype', () => {
    const pieces = written(['$.__proto__.isAdmin', true], ['$.a.constructor.prototype.isAdmin', true], ['$.a.__proto__', {}]);
    expect(pieces.join('')).toContain('"__proto__":{"isAdmin":true}');
    expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined();
    expect(([] as { isAdmin?: unknown }).isAdmin).toBeUndefined();
  });

  it('are the object that was told, in whatever order, and its text only ever grows', () => {
    const value = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        fc.string(),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
        fc.dictionary(fc.string({ minLength: 1 }), tie('tree'), { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
      ),
    })).tree;
    const object = fc.dictionary(fc.string({ minLength: 1 }), value, { maxKeys: 4, noNullPrototype: true });
    fc.assert(
      fc.property(object, fc.infiniteStream(fc.nat()), fc.boolean(), (told, random, isShuffled) => {
        const leaves = leavesOf(told, []).flatMap(([path, leaf]) => split(leaf).map((piece) => [path, piece] as const));
        // Of one text the pieces stay in order.
        const order = isShuffled ? shuffled(leaves, random) : leaves;
        const pieces = streamedArguments();
        const text = order.map(([path, leaf]) => pieces.add(path, leaf)).join('') + pieces.end();
        expect(JSON.parse(text)).toEqual(told);
      }),
    );
  });
});

describe('the path of an argument', () => {
  it.each<[string, JsonPath]>([
    ['$.a', ['a']],
    ['$.a.b-c[0].d', ['a', 'b-c', 0, 'd']],
    ['$[\'a b\']["c.d"][2][3]', ['a b', 'c.d', 2, 3]],
    ["$['it\\'s \"x\"']", ['it\'s "x"']],
    ['$["\\u00fc\\"]"]', ['ü"]']],
    ['$.2024', ['2024']],
    ["$['99999999']", ['99999999']],
  ])('%s is read', (text, path) => {
    expect(jsonPath(text)).toEqual(path);
  });

  it.each([
    undefined,
    null,
    7,
    '',
    'a',
    '$',
    '$.',
    '$.a[',
    '$.a[x]',
    '$[0]',
    '$.a[*]',
    '$..a',
    '$.a[-1]',
    '$.a[99999999]',
    "$['a",
  ])('%j leads to no value', (text) => {
    expect(jsonPath(text)).toBeUndefined();
  });
});

type Leaf = readonly [path: JsonPath, value: unknown];

function leavesOf(value: unknown, path: JsonPath): readonly Leaf[] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  if (Array.isArray(value)) return value.flatMap((item, place) => leavesOf(item, [...path, place]));
  return Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...path, key]));
}

function split(leaf: unknown): readonly unknown[] {
  if (typeof leaf !== 'string' || leaf.length < 2) return [leaf];
  const middle = leaf.length >> 1;
  return [leaf.slice(0, middle), leaf.slice(middle)];
}

function shuffled(leaves: readonly Leaf[], random: Iterator<number>): readonly Leaf[] {
  const queues = new Map<string, Leaf[]>();
  for (const leaf of leaves) {
    const key = JSON.stringify(leaf[0]);
    queues.set(key, [...(queues.get(key) ?? []), leaf]);
  }
  const left = [...queues.values()];
  const result: Leaf[] = [];
  while (left.length > 0) {
    const place = (random.next().value as number) % left.length;
    result.push(left[place]!.shift()!);
    if (left[place]!.length === 0) left.splice(place, 1);
  }
  return result;
}
