/** Follows a JSON text that arrives in pieces, each character once. */
export interface JsonObjectScan {
  add(piece: string): void;
  /** Whether the text so far has the outline of one whole object: its first bracket is closed, and nothing stands behind. */
  isWhole(): boolean;
}

const quote = 34;
const backslash = 92;
const blanks: readonly number[] = [32, 10, 13, 9];
const opening: readonly number[] = [123, 91];
const closing: readonly number[] = [125, 93];

export function jsonObjectScan(): JsonObjectScan {
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  /** `before` the object, `inside` it, `behind` it, or `broken` by something that belongs to no object. */
  let place: 'before' | 'inside' | 'behind' | 'broken' = 'before';

  const step = (code: number) => {
    if (blanks.includes(code)) return;
    if (place !== 'inside') place = place === 'before' && code === 123 ? 'inside' : 'broken';
    if (code === quote) isInString = true;
    else if (opening.includes(code)) depth++;
    else if (closing.includes(code)) depth--;
    if (depth === 0 && place === 'inside') place = 'behind';
  };
  /** Where the string that is open here ends, or the end of the piece. */
  const behindString = (piece: string, from: number): number => {
    let i = from;
    for (; i < piece.length; i++) {
      const code = piece.charCodeAt(i);
      if (isEscaped) isEscaped = false;
      else if (code === backslash) isEscaped = true;
      else if (code === quote) {
        isInString = false;
        return i + 1;
      }
    }
    return i;
  };
  return {
    add(piece) {
      // Most of a long argument is text: strings are run through in a loop of their own.
      for (let i = 0; i < piece.length && place !== 'broken';) {
        if (isInString) i = behindString(piece, i);
        else step(piece.charCodeAt(i++));
      }
    },
    isWhole: () => place === 'behind',
  };
}
