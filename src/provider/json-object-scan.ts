/** Follows a JSON text that arrives in pieces, each character once. */
export interface JsonObjectScan {
  add(piece: string): void;
  /** Whether the text so far has the outline of one whole object: its first bracket is closed, and nothing stands behind. */
  isWhole(): boolean;
}

export function jsonObjectScan(): JsonObjectScan {
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  /** `before` the object, `inside` it, `behind` it, or `broken` by something that belongs to no object. */
  let place: 'before' | 'inside' | 'behind' | 'broken' = 'before';
  const step = (character: string) => {
    if (isInString) {
      if (isEscaped) isEscaped = false;
      else if (character === '\\') isEscaped = true;
      else if (character === '"') isInString = false;
      return;
    }
    if (character === ' ' || character === '\n' || character === '\r' || character === '\t') return;
    if (place === 'before') place = character === '{' ? 'inside' : 'broken';
    else if (place === 'behind') place = 'broken';
    if (character === '"') isInString = true;
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) place = 'behind';
  };
  return {
    add(piece) {
      for (let i = 0; i < piece.length && place !== 'broken'; i++) step(piece.charAt(i));
    },
    isWhole: () => place === 'behind',
  };
}
