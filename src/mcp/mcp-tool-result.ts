import type { CallToolResult } from '@modelcontextprotocol/client';
import { textOf } from '../chat/content.ts';
import { isObject } from '../chat/is-object.ts';
import type { ToolExecutionResult } from '../tool/types.ts';
import { McpApplicationError } from './mcp-application-error.ts';
import { resultContents } from './result-contents.ts';

/**
 * An MCP tool's result as ours; the raw one is its `value`. Throws a `McpApplicationError` on `isError` with a text, and an error that
 * is not meant for the model on `isError` without.
 *
 * @param keepsAttributes - Whether `structuredContent` and `_meta` are kept in the history, for the application.
 */
export function mcpToolResult(toolName: string, result: CallToolResult, keepsAttributes: boolean): ToolExecutionResult {
  if (result.isError) {
    const texts = resultContents(result).filter(({ type }) => type === 'text');
    const text = result.content.length > 0 || result.structuredContent !== undefined ? textOf(texts) : '';
    if (text.trim()) throw new McpApplicationError(text, { result });
    throw new Error(`The MCP tool ${toolName} failed, and does not say why.`, { cause: result });
  }
  const attributes = keepsAttributes ? attributesOf(result) : {};
  return {
    contents: resultContents(result),
    isError: false,
    value: result,
    ...(Object.keys(attributes).length > 0 && { attributes }),
  };
}

function attributesOf({ structuredContent, _meta }: CallToolResult): Readonly<Record<string, unknown>> {
  return {
    ...(structuredContent !== undefined && { structuredContent }),
    ...(isObject(_meta) && Object.keys(_meta).length > 0 && { _meta }),
  };
}
