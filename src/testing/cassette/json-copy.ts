import { jsonText } from '../../chat/json-safe.ts';

/** A copy as it will be when it has been JSON: what was `undefined` is gone, and later changes don't reach it. */
export function jsonCopy(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(jsonText(value));
}
