/** What takes two columns: the East Asian letters and their fullwidth forms, and emoji. */
const wide =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;

const accent = /\p{Mn}/u;

/** How many columns of a terminal a printable character takes. */
export function characterWidth(character: string): 0 | 1 | 2 {
  if (character < '\u0300') return 1;
  if (accent.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** The beginning of a printable text in at most `width` columns, with an ellipsis where something is missing. */
export function cutToWidth(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  if (width < 1) return '';
  let cut = '';
  let used = 1;
  for (const character of text) {
    used += characterWidth(character);
    if (used > width) break;
    cut += character;
  }
  return `${cut.trimEnd()}…`;
}

export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}
