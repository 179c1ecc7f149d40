/** A text in pieces, cut at these places (those beyond its end mean nothing); joined they are the text. */
export function cutAt(text: string, places: readonly number[]): readonly string[] {
  const inside = [...new Set(places)].filter((place) => place < text.length).sort((a, b) => a - b);
  return [0, ...inside].map((from, index) => text.slice(from, inside[index]));
}
