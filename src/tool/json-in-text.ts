import { parseJson } from '../chat/parse-json.ts';
import { repairJson } from './repair-json.ts';

/**
 * The JSON value that a model's answer is, or the one object that stands in its text; `undefined` when there is none, more
 * than one, or one that was cut.
 */
export function jsonInText(text: string): unknown {
  const plain = parseJson(text);
  if (isObject(plain)) return plain;
  const mended = repairJson(text);
  if (isObject(mended)) return mended;
  if (plain !== undefined) return plain;
  return mended === undefined ? onlyObject(text) : mended;
}

function onlyObject(text: string): unknown {
  const objects: unknown[] = [];
  for (let from = nextOpening(text, 0); from < text.length;) {
    const end = endOfBrackets(text, from);
    // What was opened and not closed was cut, and what is inside of it is not the answer.
    if (end === undefined) return undefined;
    const part = text.slice(from, end);
    const value = parseJson(part) ?? repairJson(part);
    if (isObject(value) && !Array.isArray(value)) objects.push(value);
    from = nextOpening(text, end);
  }
  return objects.length === 1 ? objects[0] : undefined;
}

function nextOpening(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charAt(at) !== '{' && text.charAt(at) !== '[') at++;
  return at;
}

/** The place behind the bracket that closes the one at `from`. */
function endOfBrackets(text: string, from: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at);
    if (inString && character === '\\') at++;
    else if (character === '"') inString = !inString;
    else if (inString) continue;
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  return undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
