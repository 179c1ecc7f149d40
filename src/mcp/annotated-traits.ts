import type { Tool as McpTool } from '@modelcontextprotocol/client';
import type { TraitOptions } from '../tool/tool-traits.ts';

/** How calls of an MCP tool are treated. */
export type McpToolTraits = TraitOptions<Readonly<Record<string, unknown>>>;

/**
 * What a server's annotations come to. They are hints of somebody else, so what they do not say is taken for the careful case, but for
 * one: only a tool that says `destructiveHint: true` itself asks. By the protocol's default a tool without annotations would, too, and
 * most tools have none.
 *
 * `destructiveHint: true` → a person is asked · `readOnlyHint: true` → `parallel`, and nobody is asked · all else → `sequential`.
 */
export function annotatedTraits({ annotations }: McpTool): McpToolTraits {
  if (annotations?.readOnlyHint === true) return { execution: 'parallel' };
  return { execution: 'sequential', ...(annotations?.destructiveHint === true && { needsApproval: true }) };
}
