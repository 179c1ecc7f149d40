/** The value of a JSON text; `undefined`, which JSON can't hold, for what is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
