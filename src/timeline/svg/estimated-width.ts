import { characterWidth } from '../layout/text-width.ts';
import { printable } from '../layout/printable.ts';

/** Widths in parts of the font's size: more than most fonts need, since which one it will be is not known. */
const classes: readonly (readonly [RegExp, number])[] = [
  [/[ijl.,:;'|!\s]/, 0.3],
  [/[ftrI()[\]{}/\\"*·-]/, 0.42],
  [/[mwMW@%…]/, 0.95],
  [/[A-Z&#]/, 0.74],
  [/[\u0000-\u024f]/, 0.63],
];

export type Font = 'sans' | 'bold' | 'mono';

/** How much wider letters are that are bold. */
const boldness = 1.15;

/** How wide a text will be about, in px. */
export function estimatedWidth(text: string, size: number, font: Font): number {
  let width = 0;
  for (const character of text) width += characterSize(character, font);
  return width * size;
}

function characterSize(character: string, font: Font): number {
  const columns = characterWidth(character);
  if (columns !== 1) return columns * 0.55;
  if (font === 'mono' && character < '\u0250') return 0.62;
  // Of other scripts the widest letters.
  const size = classes.find(([pattern]) => pattern.test(character))?.[1] ?? 1;
  return font === 'bold' ? size * boldness : size;
}

/** The beginning of a text in at most `width` px, with an ellipsis where something is missing. */
export function cutToSize(text: string, width: number, size: number, font: Font): string {
  const shown = printable(text);
  if (estimatedWidth(shown, size, font) <= width) return shown;
  let used = characterSize('…', font) * size;
  let cut = '';
  for (const character of shown) {
    used += characterSize(character, font) * size;
    if (used > width) break;
    cut += character;
  }
  return `${cut.trimEnd()}…`;
}
