import { parseJson } from '../../chat/parse-json.ts';

/** The way to a value: keys of objects and places in lists. */
export type JsonPath = readonly (string | number)[];

/** `.key`, `[0]`, `['key']` or `["key"]`. */
const step = /\.([^.[\]]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;

/** A place further on is no list of arguments but a mistake, which must not be filled up. */
const lastPlace = 10_000;

/** Reads a path such as `$.days[0]['max temp']`; `undefined` when it leads to no value of an object. */
export function jsonPath(text: unknown): JsonPath | undefined {
  if (typeof text !== 'string' || !text.startsWith('$')) return undefined;
  const path: (string | number)[] = [];
  for (let end = 1; end < text.length; end = step.lastIndex) {
    step.lastIndex = end;
    const found = step.exec(text);
    const key = found ? keyIn(found) : undefined;
    if (key === undefined || (typeof key === 'number' && key > lastPlace)) return undefined;
    path.push(key);
  }
  return typeof path[0] === 'string' ? path : undefined;
}

function keyIn([, plain, place, single, double]: RegExpExecArray): string | number | undefined {
  if (place !== undefined) return Number(place);
  if (plain !== undefined) return plain;
  const quoted = double ?? single!.replace(/\\.|"/gs, (mark) => (mark === '"' ? '\\"' : mark === "\\'" ? "'" : mark));
  const key = parseJson(`"${quoted}"`);
  return typeof key === 'string' ? key : undefined;
}
