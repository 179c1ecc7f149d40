/** Whether a value has at least what is expected of it: of an object the properties that are named, of an array every item. */
export function matches(actual: unknown, expected: unknown): boolean {
  if (Object.is(actual, expected)) return true;
  if (expected instanceof RegExp) return typeof actual === 'string' && expected.test(actual);
  if (typeof actual !== 'object' || typeof expected !== 'object' || actual === null || expected === null) return false;
  if (Array.isArray(expected) && (!Array.isArray(actual) || actual.length !== expected.length)) return false;
  if (expected instanceof Date) return actual instanceof Date && actual.getTime() === expected.getTime();
  const own = actual as Readonly<Record<string, unknown>>;
  // An Error's message is its own property, but no enumerable one.
  const keys = expected instanceof Error ? ['name', 'message'] : Object.keys(expected);
  return keys.every((key) => key in own && matches(own[key], (expected as Readonly<Record<string, unknown>>)[key]));
}
