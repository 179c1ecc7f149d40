// Escapes may spell a key in another way, so a text with \u is looked through as well.
const suspicious = /__proto__|constructor|\\u/;

/** Takes out the keys by which parsed JSON could change the prototype of an object that it is merged into. */
export function withoutPrototypeKeys<T>(text: string, value: T): T {
  if (!suspicious.test(text)) return value;
  const waiting: unknown[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (Object.hasOwn(next, '__proto__')) delete (next as Record<string, unknown>)['__proto__'];
    const { constructor } = Object.hasOwn(next, 'constructor') ? next : {};
    // A racing team is a fine value for `constructor`; an object with a prototype is an attack.
    if (typeof constructor === 'object' && constructor !== null && Object.hasOwn(constructor, 'prototype')) {
      delete (next as Record<string, unknown>)['constructor'];
    }
    for (const inner of Object.values(next)) if (typeof inner === 'object' && inner !== null) waiting.push(inner);
  }
  return value;
}
