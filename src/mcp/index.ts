export type { McpToolTraits } from './annotated-traits.ts';
export type { Elicit, McpElicitation, McpElicitationAnswer, McpElicitationContext } from './elicitation.ts';
export { McpApplicationError } from './mcp-application-error.ts';
export { mcpClient, type McpClient } from './mcp-client.ts';
export type { McpClientOptions, McpCommand, McpTransport, McpUrl } from './mcp-client-options.ts';
export { mcpToolProvider, type McpToolProviderOptions } from './mcp-tool-provider.ts';
