import type { ToolSearchResult } from './tool-search-strategy.ts';

/** The result of a search, with the text for the model. */
export function found(names: readonly string[]): ToolSearchResult {
  return { names, text: names.length > 0 ? `Tools found: ${names.join(', ')}` : 'No matching tools found. Try other words.' };
}
