/** Without what would let a model, a tool or a server take over the terminal: control characters, and marks that turn the direction. */
export function printable(text: string): string {
  return text.replace(/(?![\n\t])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '');
}
