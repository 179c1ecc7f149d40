import { jsonText } from '../chat/json-safe.ts';

const longestValue = 300;

/** A value in one line, for the message of a failure. */
export function shown(value: unknown): string {
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (value instanceof RegExp) return String(value);
  // What all events of an invocation have says nothing of this one.
  const hasInvocation = typeof value === 'object' && value !== null && 'invocation' in value;
  const text = jsonText(readable(hasInvocation ? { ...value, invocation: undefined } : value));
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}

/** JSON has no patterns: they would be shown as {}. */
function readable(value: unknown): unknown {
  if (value instanceof RegExp) return String(value);
  const isPlain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, readable(inner)])) : value;
}
