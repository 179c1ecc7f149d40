/** How much of a value is shown, in characters. */
const maxLength = 80;

/**
 * What a value is, for an error: short, and never throws. An object may hold secrets, such as the key of a client that was
 * passed as a model: only its class and its properties are named.
 */
export function shownValue(value: unknown): string {
  try {
    const text = described(value);
    return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
  } catch {
    return 'an unreadable object';
  }
}

function described(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, maxLength));
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return /^class\b/.test(String(value)) ? 'a class' : 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${someOf(value, (item) => (Array.isArray(item) ? 'an array' : described(item)))}]`;
  const { name } = (Object.getPrototypeOf(value) as object | null)?.constructor ?? Object;
  const keys = Object.keys(value);
  const what = name === 'Object' ? (keys.length > 0 ? 'an object' : '{}') : `an instance of ${name}`;
  return keys.length > 0 ? `${what} with ${someOf(keys, String)}` : what;
}

function someOf(items: readonly unknown[], shown: (item: unknown) => string): string {
  // Copied, which also fills the holes of a sparse array.
  return `${Array.from(items.slice(0, 5), shown).join(', ')}${items.length > 5 ? ' …' : ''}`;
}
