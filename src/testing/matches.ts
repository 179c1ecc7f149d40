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
  if (isLike(actual, expected)) return undefined;
  const misfit = { path, expected, actual };
  if (!isHolder(actual) || !isHolder(expected) || isWhole(expected)) return misfit;
  if (Array.isArray(expected) && (!Array.isArray(actual) || actual.length !== expected.length)) return misfit;
  // An Error's message is its own property, but no enumerable one.
  const keys = expected instanceof Error ? ['name', 'message'] : Object.keys(expected);
  for (const key of keys) {
    const found = innerMisfit(actual, expected, key, path ? `${path}.${key}` : key);
    if (found) return found;
  }
  return undefined;
}

type Holder = Readonly<Record<string, unknown>>;

function innerMisfit(actual: Holder, expected: Holder, key: string, path: string): Misfit | undefined {
  return key in actual ? misfitOf(actual[key], expected[key], path) : { path, expected: expected[key], actual: undefined };
}

function isLike(actual: unknown, expected: unknown): boolean {
  if (expected instanceof RegExp) return typeof actual === 'string' && expected.test(actual);
  if (expected instanceof Date) return actual instanceof Date && actual.getTime() === expected.getTime();
  return Object.is(actual, expected);
}

function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null;
}

/** Whether it is compared as a whole, and has no parts to look into. */
function isWhole(expected: unknown): boolean {
  return expected instanceof RegExp || expected instanceof Date;
}
