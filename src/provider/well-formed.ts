/** A pair of halves, which is a character; a half alone, which is none; and any other escape. */
const escapes = /\\(?:ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|(ud[89a-f][0-9a-f]{2})|[^])/gi;

/** JSON text without halves of characters, which strict parsers refuse: texts are cut anywhere, also within an emoji. */
export function wellFormed(json: string): string {
  // Looked for in vain in nearly every body: a pattern would take as long as the rest of a round.
  if (!json.includes('\\ud') && !json.includes('\\uD')) return json;
  return json.replace(escapes, (escape: string, half: string | undefined) => (half === undefined ? escape : '\\ufffd'));
}
