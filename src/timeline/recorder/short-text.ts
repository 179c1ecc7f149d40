import { jsonText } from '../../chat/json-safe.ts';

/** The beginning of a text, in all at most `length` characters. */
export function shortText(text: string, length: number): string {
  if (text.length <= length) return text;
  if (length < 1) return '';
  // No half of a character that takes two units.
  return `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Any value as one short text. Of what a service tells as a tool only the type: its events carry all they belong to. */
export function valueText(value: unknown, length: number): string {
  if (typeof value === 'string') return shortText(value, length);
  const { type, invocation } = (Object(value) ?? {}) as { type?: unknown; invocation?: unknown };
  if (typeof type === 'string' && invocation !== undefined) return shortText(type, length);
  return shortText(jsonText(value), length);
}

/** What an error says, whatever it is. */
export function errorText(error: unknown, length: number): string {
  const message: unknown = error instanceof Error ? error.message || error.name : error;
  return valueText(message, length);
}
