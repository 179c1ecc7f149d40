import { isObject } from '../chat/is-object.ts';
import { parseJson } from '../chat/parse-json.ts';
import { wellFormed } from './well-formed.ts';
import { wireJson } from './wire-json.ts';

/** Under which key a text stands that is no JSON object. */
const invalidJson = 'INVALID_JSON';

/**
 * The arguments of a call, for an API that takes nothing but an object: as the model wrote them, digits and all, since parsing
 * would change long numbers. What is no object is told within one, so that the model sees what it wrote.
 */
export function argumentsJson(written: string): string {
  const text = written.trim();
  const value = text ? parseJson(text) : null;
  if (value === null) return '{}';
  return isObject(value) ? wellFormed(text) : wireJson({ [invalidJson]: text });
}
