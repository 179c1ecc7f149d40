/** Reads the inside of a JSON string that comes in pieces, from behind its opening quote. */
export interface JsonStringReader {
  /** What has come so far, decoded: never half an escape, never half of a surrogate pair. */
  readonly text: string;
  /** `broken` is a string with an escape that JSON does not know. */
  readonly state: 'open' | 'closed' | 'broken';
  /** Reads on at a place of the piece and returns the place behind what belongs to the string. */
  read(piece: string, from: number): number;
}

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

export function jsonStringReader(): JsonStringReader {
  let text = '';
  // A high surrogate whose other half has not come. It is kept apart because to look at the end of a text that grows
  // would flatten the whole of it each time.
  let half = '';
  // An escape that has not come whole, from its backslash on.
  let escape = '';
  let state: JsonStringReader['state'] = 'open';

  const add = (chunk: string) => {
    const whole = half + chunk;
    const last = whole.charCodeAt(whole.length - 1);
    const isHalf = last >= 0xd800 && last <= 0xdbff;
    text += isHalf ? whole.slice(0, -1) : whole;
    half = isHalf ? whole.slice(-1) : '';
  };
  const readEscape = (character: string) => {
    escape += character;
    const isUnicode = escape.startsWith('\\u');
    if (isUnicode && escape.length < 6) return;
    const decoded = isUnicode ? codeUnit(escape.slice(2)) : escapes[character];
    escape = '';
    if (decoded === undefined) state = 'broken';
    else add(decoded);
  };

  return {
    get text() {
      return text;
    },
    get state() {
      return state;
    },
    read(piece, from) {
      let at = from;
      while (at < piece.length && state === 'open') {
        if (escape) {
          readEscape(piece.charAt(at++));
          continue;
        }
        const stop = endOfRun(piece, at);
        if (stop > at) add(piece.slice(at, stop));
        at = stop + 1;
        if (piece.charAt(stop) === '\\') escape = '\\';
        else if (stop < piece.length) state = 'closed';
      }
      // A string may well end with half a pair: JSON allows it.
      if (state === 'closed') text += half;
      return Math.min(at, piece.length);
    },
  };
}

function codeUnit(hex: string): string | undefined {
  return /^[\da-f]{4}$/i.test(hex) ? String.fromCharCode(Number.parseInt(hex, 16)) : undefined;
}

function endOfRun(piece: string, from: number): number {
  let at = from;
  while (at < piece.length && piece.charAt(at) !== '"' && piece.charAt(at) !== '\\') at++;
  return at;
}
