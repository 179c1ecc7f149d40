import type { ToolSpecification } from '../../chat/tool-specification.ts';

/** The different words of search terms, in the form in which they are compared. A term may be several words. */
export function wordsOf(terms: readonly string[]): readonly string[] {
  const words = terms.flatMap((term) => folded(term).split(/[\s,;]+/u));
  return [...new Set(words)].filter((word) => word !== '');
}

/** 2 for each word that the tool's name contains, and 1 for each that its description contains. */
export function keywordScore(words: readonly string[], { name, description = '' }: ToolSpecification): number {
  const [foldedName, foldedDescription] = [folded(name), folded(description)];
  return words.reduce(
    (score, word) => score + (foldedName.includes(word) ? 2 : 0) + (foldedDescription.includes(word) ? 1 : 0),
    0,
  );
}

/** The same for all ways to write a text, wherever the program runs: upper case, which knows no final letters. */
function folded(text: string): string {
  return text.normalize('NFKC').toUpperCase();
}
