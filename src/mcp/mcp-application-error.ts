import type { CallToolResult } from '@modelcontextprotocol/client';
import type { ToolErrorVisibleToLlm } from '../tool/visible-to-llm.ts';

/** An MCP tool ran and says that it failed (`isError`, with a text): the text is for the model, and the model is told. */
export class McpApplicationError extends Error implements ToolErrorVisibleToLlm {
  override readonly name = 'McpApplicationError';
  /** As the server sent it. */
  readonly result: CallToolResult;

  constructor(message: string, options: { readonly result: CallToolResult }) {
    super(message);
    this.result = options.result;
  }

  messageForLlm(): string {
    return this.message;
  }
}
