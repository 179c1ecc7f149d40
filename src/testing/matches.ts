/** Where a value is not as expected, and what stands there. */
export interface Misfit {
  /** From the value inwards, as in `execution.result`; empty for the value itself. */
  readonly path: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** Whether a value has at least what is expected of it: of an object the properties that are named, of an array every item. */
export function matches(actual: unknown, expected: unknown): boolean {
  return misfitOf(actual, expected) === undefined;
}

/** The first place where a value has not what is expected of it. */
export function misfitOf(actual: unknown, expected: unknown, path = ''): Misfit | undefined {
  const misfit = { path, expected, actual };
  if (Object.is(actual, expected)) return undefined;
  if (expected instanceof RegExp) return typeof actual === 'string' && expected.test(actual) ? undefined : misfit;
  if (typeof actual !== 'object' || typeof expected !== 'object' || actual === null || expected === null) return misfit;
  if (Array.isArray(expected) && (!Array.isArray(actual) || actual.length !== expected.length)) return misfit;
  if (expected instanceof Date) return actual instanceof Date && actual.getTime() === expected.getTime() ? undefined : misfit;
  // An Error's message is its own property, but no enumerable one.
  const keys = expected instanceof Error ? ['name', 'message'] : Object.keys(expected);
  for (const key of keys) {
    const inner = path ? `${path}.${key}` : key;
    const wanted = (expected as Readonly<Record<string, unknown>>)[key];
    if (!(key in actual)) return { path: inner, expected: wanted, actual: undefined };
    const found = misfitOf((actual as Readonly<Record<string, unknown>>)[key], wanted, inner);
    if (found) return found;
  }
  return undefined;
}
