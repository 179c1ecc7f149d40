import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { shownValue } from '../../src/chat/shown-value.ts';

class Client {
  readonly apiKey = 'sk-secret';
}

const cyclic: unknown[] = [];
cyclic.push(cyclic, { cyclic });

const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();

describe('the value that an error shows', () => {
  it.each<[shown: string, value: unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['NaN', NaN],
    ['-Infinity', -Infinity],
    ['5n', 5n],
    ['Symbol(x)', Symbol('x')],
    ['a function', () => undefined],
    ['a class', Client],
    ['an instance of Date', new Date(Number.NaN)],
    ['an instance of Map', new Map([['apiKey', 'sk-secret']])],
    ['an instance of Promise', Promise.resolve()],
    ['an instance of Observable with _subscribe', of()],
    ['an instance of URL', new URL('https://me:sk-secret@x.test')],
    ['an instance of TypeError', new TypeError('sk-secret')],
    ['an instance of String with 0', Object('x')],
    ['{}', {}],
    ['{}', Object.create(null)],
    ['an object with a', { a: undefined }],
    ['an object with constructor', { constructor: 'x' }],
    ['an object with a, b, c, d, e …', { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1 }],
    ['[undefined, a function, NaN, 1n, "x"]', [undefined, () => 1, NaN, 1n, 'x']],
    ['[undefined, undefined]', new Array(2)],
    ['[1, 2, 3, 4, 5 …]', [1, 2, 3, 4, 5, 6]],
    ['[an array, an object with cyclic]', cyclic],
  ])('is %s, which tells what it is', (shown, value) => {
    expect(shownValue(value)).toBe(shown);
  });

  it.each<[what: string, value: unknown]>([
    ['a client', new Client()],
    ['headers', { authorization: 'sk-secret' }],
    ['headers in a list', [{ authorization: 'sk-secret' }, ['sk-secret'], new Client()]],
    [
      'a getter',
      {
        get key() {
          return 'sk-secret';
        },
      },
    ],
  ])('shows no secret of %s', (_, value) => {
    expect(shownValue(value)).not.toContain('sk-secret');
  });

  it.each<[what: string, value: unknown]>([
    ['a long text', 'x'.repeat(1e6)],
    ['long names', { ['x'.repeat(1e6)]: 1 }],
    ['long texts', ['x'.repeat(1e6), 'y'.repeat(1e6)]],
    ['a long symbol', Symbol('x'.repeat(1e6))],
    ['a deep list', Array.from({ length: 1e4 }).reduce((inner) => [inner], [])],
  ])('is short: %s', (_, value) => {
    expect(shownValue(value).length).toBeLessThanOrEqual(84);
  });

  it.each<[what: string, value: unknown]>([
    ['a proxy that was revoked', revoked],
    ['a proxy that was revoked, in a list', [revoked]],
    [
      'a prototype that throws',
      Object.create({
        get constructor() {
          throw new Error('no');
        },
      }),
    ],
    [
      'keys that throw',
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('no');
          },
        },
      ),
    ],
  ])('can be had of anything: %s', (_, value) => {
    expect(shownValue(value)).toBe('an unreadable object');
  });
});
