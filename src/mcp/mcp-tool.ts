import type { Tool as McpTool } from '@modelcontextprotocol/client';
import { map, type Observable } from 'rxjs';
import { ConfigurationError } from '../chat/configuration-error.ts';
import type { JsonSchema, ToolSpecification } from '../chat/tool-specification.ts';
import { callScope } from '../tool/call-scope.ts';
import { quietly } from '../tool/quietly.ts';
import { toolWith } from '../tool/tool.ts';
import type { Logger, Tool, ToolExecutionResult } from '../tool/types.ts';
import type { McpToolTraits } from './annotated-traits.ts';
import type { McpClient } from './mcp-client.ts';
import { mcpToolResult } from './mcp-tool-result.ts';
import { withoutPatterns } from './without-patterns.ts';

export interface McpToolOptions {
  readonly client: McpClient;
  readonly mcpTool: McpTool;
  /** As the model is told. */
  readonly specification: ToolSpecification;
  readonly traits: McpToolTraits;
  readonly keepsAttributes: boolean;
  readonly logger: Logger;
}

/** A tool of a server as one of ours. Arguments are checked by its schema; where that is beyond us the server checks them alone. */
export function mcpTool({ client, mcpTool, specification, traits, keepsAttributes, logger }: McpToolOptions): Tool {
  const { name, description, parameters, metadata } = specification;
  const made = (schema: JsonSchema) => told(checked(schema));
  /** The model is told of the whole schema. */
  const told = (tool: Tool): Tool => ({
    ...tool,
    specification: { ...tool.specification, parameters: { ...tool.specification.parameters, ...parameters } },
    pipe: (...operators) => told(tool.pipe(...operators)),
  });
  const checked = (schema: JsonSchema) =>
    toolWith<JsonSchema, Observable<ToolExecutionResult>>(
      {
        name,
        ...(description !== undefined && { description }),
        parameters: schema,
        ...(metadata && { metadata }),
        ...traits,
        execute: (args, context) =>
          client
            .callTool(mcpTool.name, args, context)
            .pipe(map((result) => mcpToolResult(mcpTool.name, result, keepsAttributes))),
      },
      {},
      // Its one value is the result, and no progress.
      (execute, parent) => callScope(parent, (context) => execute(context) as Observable<ToolExecutionResult>),
    );
  try {
    return made(withoutPatterns(parameters));
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    // By a schema of any object, what is wrong elsewhere is wrong still.
    const tool = made({ type: 'object' });
    quietly(() => logger.warn(`mcp server ${client.name}: ${error.message} Its arguments are passed on as they come.`));
    return tool;
  }
}
