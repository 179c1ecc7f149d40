import { expect } from 'vitest';

/** Names that every object answers to, and through which one object may change all others. */
export const hostileNames = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__'] as const;

/** JSON text that would pollute whatever it is merged into, at two depths, beside a value that is meant. */
export const hostileJson =
  '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},' +
  '"inner":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"kept":2},"kept":1}';

const shared = { Object: Object.prototype, Array: Array.prototype, Function: Function.prototype };
const keysOf = (): Record<string, readonly PropertyKey[]> =>
  Object.fromEntries(Object.entries(shared).map(([name, prototype]) => [name, Reflect.ownKeys(prototype)]));
const before = keysOf();

/** What all objects share is as it was. */
export function expectUnpolluted(): void {
  expect(keysOf()).toEqual(before);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
}

/** No object in a value has got another prototype, or a word that was meant for one; what stands under a hostile key is but data. */
export function expectPlain(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  expect((value as { polluted?: unknown }).polluted).toBeUndefined();
  expect([Object.prototype, Array.prototype, null]).toContain(Object.getPrototypeOf(value));
  for (const [key, inner] of Object.entries(value)) if (!hostileNames.includes(key as never)) expectPlain(inner);
}
