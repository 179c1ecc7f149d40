import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonSafe, jsonText } from '../../src/chat/json-safe.ts';

const anything = fc.anything({
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withObjectString: true,
  withNullPrototype: true,
  withTypedArray: true,
  withSparseArray: true,
  withUnicodeString: true,
});

function circular(): object {
  const self: Record<string, unknown> = { name: 'loop' };
  self['self'] = self;
  self['list'] = [self];
  return self;
}

function detachedBytes(): Uint8Array {
  const bytes = new Uint8Array(4);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
}

function throws(): never {
  throw new Error('hostile');
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe('the JSON of any value', () => {
  it('is always valid, whatever the value', () => {
    fc.assert(
      fc.property(anything, (value) => {
        const text = jsonText({ value });
        expect(typeof JSON.parse(text)).toBe('object');
        expect(JSON.stringify(jsonSafe({ value }))).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it('is what JSON.stringify gives where that loses nothing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonText(value)).toBe(JSON.stringify(value));
      }),
      { numRuns: 300 },
    );
  });

  it.each<[what: string, value: unknown, json: string]>([
    ['a bigint', { n: 12345678901234567890n }, '{"n":"12345678901234567890"}'],
    ['numbers that JSON lacks', [NaN, Infinity, -Infinity], '["NaN","Infinity","-Infinity"]'],
    ['a Map with text keys', new Map([['a', 1n]]), '{"a":"1"}'],
    [
      'a Map with other keys',
      new Map<unknown, unknown>([
        [1, 'a'],
        [{ k: 2 }, 'b'],
      ]),
      '[[1,"a"],[{"k":2},"b"]]',
    ],
    ['a Set', new Set([1, undefined, 'a']), '[1,null,"a"]'],
    ['a Date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['an invalid Date', new Date(NaN), '"Invalid Date"'],
    ['bytes', new Uint8Array([1, 2, 255]), '"AQL/"'],
    ['a view on some bytes', new Uint8Array([0, 1, 2, 255, 9]).subarray(1, 4), '"AQL/"'],
    ['an ArrayBuffer', new Uint8Array([1, 2, 255]).buffer, '"AQL/"'],
    ["Node's Buffer, on Node", ('Buffer' in globalThis ? Buffer : Uint8Array).from([1, 2, 255]), '"AQL/"'],
    ['an Error', new RangeError('too far'), '{"name":"RangeError","message":"too far"}'],
    ['a symbol', [Symbol('s')], '["Symbol(s)"]'],
    [
      'a function',
      {
        run: throws,
        anonymous: (
          () => () =>
            undefined
        )(),
      },
      '{"run":"[Function throws]","anonymous":"[Function anonymous]"}',
    ],
    ['a value inside itself', circular(), '{"name":"loop","self":"[Circular]","list":["[Circular]"]}'],
    ['the same value twice, which is no circle', (({ a }) => [a, a])({ a: {} }), '[{},{}]'],
    ['toJSON', { toJSON: () => ({ inner: 1n }) }, '{"inner":"1"}'],
    ['toJSON that throws', { toJSON: throws, kept: 1 }, '{"toJSON":"[Function throws]","kept":1}'],
    [
      'a getter that throws',
      {
        get broken() {
          return throws();
        },
        kept: 1,
      },
      '{"broken":"[Throws Error: hostile]","kept":1}',
    ],
    ['a hole in an array', new Array<unknown>(1), '[null]'],
    ['undefined properties, which are left out as ever', { a: undefined, b: [undefined] }, '{"b":[null]}'],
    ['null', null, 'null'],
    ['text', 'a"b', '"a\\"b"'],
    ['undefined', undefined, 'undefined'],
  ])('tells %s', (_, value, json) => {
    expect(jsonText(value)).toBe(json);
  });

  it('keeps a key named __proto__ as a key', () => {
    const copy = jsonSafe({
      a: JSON.parse('{"__proto__":{"polluted":1}}') as unknown,
      b: new Map([['__proto__', { polluted: 1 }]]),
    }) as { a: object; b: object };
    for (const object of [copy.a, copy.b]) {
      expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
      expect(Object.keys(object)).toEqual(['__proto__']);
    }
  });

  it('ends for a value of endless depth', () => {
    const endless = (): object => ({ toJSON: endless, next: null });
    const chain = (depth: number) => Array.from({ length: depth }).reduce<unknown>((inner) => ({ inner }), 1);
    expect(jsonText(endless())).toBe('"[Deep]"');
    expect(jsonText(chain(20_000))).toContain('"[Deep]"');
  });

  it('is a copy: the value is not changed by it', () => {
    const value = circular();
    const copy = jsonSafe(value);
    expect(copy).not.toBe(value);
    expect((value as { self: unknown }).self).toBe(value);
  });

  it.each<[what: string, value: unknown]>([
    ['an Error whose message throws', Object.defineProperty(new Error(), 'message', { get: throws })],
    ['an Error whose message is a bigint', Object.assign(new Error(), { message: 1n })],
    [
      'an Error whose message is the error',
      (() => {
        const error = new Error();
        return Object.assign(error, { message: { error, n: 1n } });
      })(),
    ],
    [
      'a getter that throws an object without a text',
      {
        get broken(): never {
          throw Object.create(null);
        },
      },
    ],
    ['a proxy that was revoked', { inner: revoked() }],
    ['a proxy that refuses to list its keys', new Proxy({}, { ownKeys: throws })],
    ['a function whose name is no text', Object.defineProperty(() => 1, 'name', { value: Symbol('s') })],
    ['bytes that were transferred away', detachedBytes()],
    ['a Map that refuses to be read', Object.assign(new Map([['a', 1]]), { [Symbol.iterator]: throws })],
  ])('never throws: %s', (_, value) => {
    expect(() => jsonText(value)).not.toThrow();
    expect(() => JSON.parse(jsonText(value)) as unknown).not.toThrow();
  });

  it('tells objects that hold each other along many ways in bounded time and length', () => {
    const friends: { all?: object }[] = Array.from({ length: 10 }, () => ({}));
    for (const friend of friends) friend.all = [...friends];
    expect(jsonText(friends).length).toBeLessThan(3_000_000);
  });
});
