/** Text that comes in pieces of any size, wrapped word by word. Each function returns what can be written now. */
export interface TextFlow {
  add(piece: string): string;
  /** Ends the line that has been begun; a word that is not whole yet goes on below. */
  interrupt(): string;
  /** Writes what is left and ends the line. */
  end(): string;
}

/** Scripts that are written without spaces: each character counts as a word. */
const spaceless = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;

export function textFlow(margin: number, columns: number): TextFlow {
  /** Not yet written: more of it may come. */
  let word = '';
  /** The blanks in front of it. */
  let gap = '';
  /** Where the next character goes; 0 when no line has been begun. */
  let column = 0;
  /** The text was interrupted, or has not begun: it does not begin its line with blanks. */
  let isResumed = true;

  const write = (text: string): string => {
    column += text.length;
    return text;
  };

  const endWord = (): string => {
    if (!word) return '';
    const isTooLong = column > 0 && column + gap.length + word.length > columns;
    const written = isTooLong ? `\n${newLine(word)}` : column === 0 ? newLine(gap + word) : write(gap + word);
    word = '';
    gap = '';
    isResumed = false;
    return written;
  };

  const newLine = (text: string): string => {
    column = 0;
    return write(' '.repeat(margin) + text);
  };

  const breakLine = (): string => {
    gap = '';
    column = 0;
    return '\n';
  };

  const interrupt = (): string => {
    isResumed = true;
    return column > 0 ? breakLine() : '';
  };

  const add = (character: string): string => {
    if (character === '\n') return isResumed && !word ? '' : endWord() + breakLine();
    if (/\s/.test(character)) {
      const written = endWord();
      if (!isResumed) gap += ' ';
      return written;
    }
    const before = spaceless.test(character) || word.length >= columns - margin ? endWord() : '';
    word += character;
    return before;
  };

  return {
    add: (piece) => Array.from(piece, add).join(''),
    interrupt,
    end: () => endWord() + interrupt(),
  };
}
