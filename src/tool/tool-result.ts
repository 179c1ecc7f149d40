import { isContent, type Content } from '../chat/content.ts';
import { jsonText } from '../chat/json-safe.ts';
import type { ToolExecutionResult } from './types.ts';

/**
 * What a tool returned, as a result for the model.
 *
 * `undefined` → `Success` · text as it is · `null` → `null` · one or more contents as contents · a `ToolExecutionResult` as
 * it is · all else as JSON.
 */
export function toolResult(value: unknown): ToolExecutionResult {
  try {
    return isResult(value) ? value : { contents: contentsOf(value), isError: false, value };
  } catch {
    // A getter of the value threw: it is data, and told as such.
    return { contents: [{ type: 'text', text: jsonText(value) }], isError: false, value };
  }
}

export function textResult(text: string, isError: boolean): ToolExecutionResult {
  return { contents: [{ type: 'text', text }], isError };
}

function contentsOf(value: unknown): readonly Content[] {
  if (isContent(value)) return [value];
  // Copied, which also fills the holes of a sparse array.
  const items: readonly unknown[] = Array.isArray(value) ? Array.from(value) : [];
  if (items.length > 0 && items.every(isContent)) return items;
  return [{ type: 'text', text: textFor(value) }];
}

function textFor(value: unknown): string {
  if (value === undefined) return 'Success';
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : jsonText(value);
}

function isResult(value: unknown): value is ToolExecutionResult {
  if (typeof value !== 'object' || value === null) return false;
  const { contents, isError } = value as Partial<ToolExecutionResult>;
  return typeof isError === 'boolean' && Array.isArray(contents) && contents.every(isContent);
}
