/** Follows a JSON text that arrives in pieces, each character once. */
export interface JsonObjectScan {
  add(piece: string): void;
  /** Whether the text so far has the outline of one whole object: its first bracket is closed, and nothing stands behind. */
  isWhole(): boolean;
}

const blanks = ' \n\r\t';

export function jsonObjectScan(): JsonObjectScan {
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  /** `before` the object, `inside` it, `behind` it, or `broken` by something that belongs to no object. */
  let place: 'before' | 'inside' | 'behind' | 'broken' = 'before';

  const stepInString = (character: string) => {
    if (isEscaped) isEscaped = false;
    else if (character === '\\') isEscaped = true;
    else if (character === '"') isInString = false;
  };
  const step = (character: string) => {
    if (blanks.includes(character)) return;
    if (place !== 'inside') place = place === 'before' && character === '{' ? 'inside' : 'broken';
    if (character === '"') isInString = true;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    if (depth === 0 && place === 'inside') place = 'behind';
  };
  return {
    add(piece) {
      for (let i = 0; i < piece.length && place !== 'broken'; i++) (isInString ? stepInString : step)(piece.charAt(i));
    },
    isWhole: () => place === 'behind',
  };
}
