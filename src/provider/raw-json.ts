import { parseJson } from '../chat/parse-json.ts';

/** Where a value stands in a JSON text: keys of objects and places in lists. */
export type RawPath = readonly (string | number)[];

/** Sixteen digits in a row, with or without a point among them, or an exponent of three: a number may lose some when it is parsed. */
const longNumber = /\d[\d.]{15}|\d[eE][+-]?\d{3}/;

/** Whether a JSON text holds a number that may not survive parsing. A text without one is not worth a second look. */
export function mayRound(json: string): boolean {
  return longNumber.test(json);
}

/**
 * The value at a path as it was written, digit by digit; `undefined` where there is none. The text has to be JSON, which is
 * not checked again. As with `JSON.parse`, of two values under one key the last one counts.
 */
export function rawJson(json: string, path: RawPath): string | undefined {
  let [from, to] = [0, json.length];
  for (const step of path) {
    const found = child(json, skipBlanks(json, from), step);
    if (!found) return undefined;
    [from, to] = found;
  }
  return json.slice(from, to).trim();
}

/** The items of the list at a path, each as it was written: in one pass, however many there are. */
export function rawItems(json: string, path: RawPath): readonly string[] {
  const list = rawJson(json, path);
  const items: string[] = [];
  if (list?.[0] !== '[') return items;
  for (let at = skipBlanks(list, 1); at < list.length && !isClosing(list[at]);) {
    const to = endOfValue(list, at);
    items.push(list.slice(at, to));
    at = nextChild(list, to);
  }
  return items;
}

type Span = readonly [from: number, to: number];

/** Where the value under a key, or at a place of a list, begins and ends. */
function child(json: string, opening: number, step: string | number): Span | undefined {
  const isObject = json[opening] === '{';
  if (!isObject && json[opening] !== '[') return undefined;
  let found: Span | undefined;
  let at = skipBlanks(json, opening + 1);
  for (let place = 0; at < json.length && !isClosing(json[at]); place++) {
    const behindKey = isObject ? endOfValue(json, at) : at;
    const key = isObject ? parseJson(json.slice(at, behindKey)) : place;
    const from = isObject ? skipBlanks(json, skipBlanks(json, behindKey) + 1) : at;
    const to = endOfValue(json, from);
    if (key === step) found = [from, to];
    at = nextChild(json, to);
  }
  return found;
}

function nextChild(json: string, to: number): number {
  const behind = skipBlanks(json, to);
  return json[behind] === ',' ? skipBlanks(json, behind + 1) : behind;
}

function isClosing(mark: string | undefined): boolean {
  return mark === '}' || mark === ']';
}

const blanks = /[ \t\r\n]*/y;
/** What stands between brackets and strings. */
const plain = /[^"[\]{},: \t\r\n]+|[,: \t\r\n]+/y;

function skipBlanks(json: string, from: number): number {
  blanks.lastIndex = from;
  // Behind the end of a text that is no JSON nothing is found.
  return blanks.test(json) ? blanks.lastIndex : json.length;
}

function endOfValue(json: string, from: number): number {
  let depth = 0;
  for (let at = from; at < json.length;) {
    const mark = json[at];
    if (mark === '{' || mark === '[') depth++;
    else if (isClosing(mark)) depth--;
    at = endOfToken(json, at);
    if (depth <= 0) return at;
  }
  return json.length;
}

/** A whole string, a bracket, or all up to the next of these. */
function endOfToken(json: string, from: number): number {
  if (json[from] === '"') return endOfString(json, from);
  plain.lastIndex = from;
  return plain.test(json) ? plain.lastIndex : from + 1;
}

function endOfString(json: string, from: number): number {
  for (let quote = json.indexOf('"', from + 1); quote >= 0; quote = json.indexOf('"', quote + 1)) {
    let escapes = quote;
    while (json[escapes - 1] === '\\') escapes--;
    if ((quote - escapes) % 2 === 0) return quote + 1;
  }
  return json.length;
}
