/** The beginning and the end of a text, together `length` characters of it, and between them how many are left out. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const tailLength = Math.floor(length / 2);
  // No half of a character that takes two units.
  const head = text.slice(0, length - tailLength).replace(/[\uD800-\uDBFF]$/, '');
  const tail = text.slice(text.length - tailLength).replace(/^[\uDC00-\uDFFF]/, '');
  return `${head} [… ${text.length - head.length - tail.length} characters left out …] ${tail}`;
}
