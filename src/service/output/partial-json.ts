import { growingValue } from './growing-value.ts';
import { jsonStringReader, type JsonStringReader } from './json-string.ts';

/** Reads JSON text that comes in pieces. */
export interface PartialJson {
  /**
   * Reads one more piece and returns the value so far; `undefined` before its first character. A value that was returned
   * never changes, what is the same in a later one is the same object, and a piece that adds nothing gives the same value again.
   */
  push(text: string): unknown;
}

/**
 * What the reader expects, or what it is in the middle of. `value` and `key` may also be the end of their container,
 * because models put a comma behind the last one.
 */
type State = 'root' | 'value' | 'key' | 'colon' | 'after' | 'string' | 'token' | 'done';

const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const literals: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);
// The length first: to look up a number of a million digits at each of them would take its time.
const isLiteral = (token: string): boolean => token.length <= 5 && literals.has(token);

/**
 * Makes a reader for one object or array, or for an object alone. Text before it, such as a code fence, is passed over, and so
 * is what follows.
 *
 * A string is shown as far as it has come. A key whose value has not begun, a number that may go on and half a literal
 * are left out. Text that is no JSON ends the value where it was.
 *
 * A piece costs its own length, and a flat copy of each container that it is inside of.
 */
export function partialJson(root: 'object' | 'any' = 'any'): PartialJson {
  const value = growingValue();
  let state: State = 'root';
  // The string that is being read, and what it is.
  let string: JsonStringReader | undefined;
  let isKey = false;
  // A number or literal, as far as it has come.
  let token = '';

  const open = (kind: 'object' | 'array'): State => {
    value.open(kind);
    return kind === 'array' ? 'value' : 'key';
  };
  const close = (): State => {
    value.close();
    return value.inside ? 'after' : 'done';
  };
  const put = (whole: unknown): State => {
    value.put(whole);
    return 'after';
  };
  const beginString = (as: 'key' | 'value'): State => {
    string = jsonStringReader();
    isKey = as === 'key';
    if (!isKey) value.put('');
    return 'string';
  };
  const beginToken = (character: string): State => {
    token = character;
    return 'token';
  };

  /** What follows from one character, in the states that need no more than that. */
  const next = {
    root: (character: string): State => {
      if (character === '{') return open('object');
      return character === '[' && root === 'any' ? open('array') : 'root';
    },
    value: (character: string): State => {
      if (character === '"') return beginString('value');
      if (character === '{') return open('object');
      if (character === '[') return open('array');
      if (character === ']' && value.inside === 'array') return close();
      return /[-\dtfn]/.test(character) ? beginToken(character) : 'done';
    },
    key: (character: string): State => (character === '"' ? beginString('key') : character === '}' ? close() : 'done'),
    colon: (character: string): State => (character === ':' ? 'value' : 'done'),
    after: (character: string): State => {
      const isArray = value.inside === 'array';
      if (character === (isArray ? ']' : '}')) return close();
      if (character !== ',') return 'done';
      if (isArray) value.toNext();
      return isArray ? 'value' : 'key';
    },
  };

  const readString = (text: string, from: number): number => {
    const reader = string!;
    const end = reader.read(text, from);
    if (!isKey) value.put(reader.text);
    if (reader.state === 'broken') state = 'done';
    if (reader.state !== 'closed') return end;
    if (isKey) value.toKey(reader.text);
    state = isKey ? 'colon' : 'after';
    return end;
  };
  const readToken = (text: string, from: number): number => {
    let at = from;
    while (at < text.length && !isLiteral(token) && /[\w.+-]/.test(text.charAt(at))) token += text.charAt(at++);
    if (isLiteral(token)) state = put(literals.get(token));
    // What follows shows that a number is over.
    else if (at < text.length) state = number.test(token) ? put(Number(token)) : 'done';
    return at;
  };

  return {
    push(text) {
      let at = 0;
      while (at < text.length && state !== 'done') {
        if (state === 'string') at = readString(text, at);
        else if (state === 'token') at = readToken(text, at);
        else {
          const character = text.charAt(at++);
          if (!' \n\r\t'.includes(character)) state = next[state](character);
        }
      }
      return value.snapshot();
    },
  };
}
