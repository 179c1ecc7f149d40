import type { Tool as McpTool } from '@modelcontextprotocol/client';
import { catchError, forkJoin, map, of, throwError, type Observable } from 'rxjs';
import { ConfigurationError } from '../chat/configuration-error.ts';
import { checkFlag, checkFunction, checkKnownOptions, checkMethods, invalidOption } from '../chat/option-checks.ts';
import type { ToolSpecification } from '../chat/tool-specification.ts';
import { quietly } from '../tool/quietly.ts';
import { asError } from '../tool/tool-errors.ts';
import type { ToolProvider } from '../tool/tool-provider.ts';
import type { Logger, Tool } from '../tool/types.ts';
import { annotatedTraits, type McpToolTraits } from './annotated-traits.ts';
import type { McpClient } from './mcp-client.ts';
import { mcpTool } from './mcp-tool.ts';
import { toolNames } from './tool-names.ts';

export interface McpToolProviderOptions {
  readonly clients: readonly McpClient[];
  /** Which tools there are: all by default. */
  readonly filter?: ((tool: McpTool, client: McpClient) => boolean) | undefined;
  /** What the model calls a tool: by default what the server does. */
  readonly mapName?: ((tool: McpTool, client: McpClient) => string) | undefined;
  /** What the model is told of a tool; the specification has its name by `mapName`. */
  readonly mapSpecification?:
    ((specification: ToolSpecification, tool: McpTool, client: McpClient) => ToolSpecification) | undefined;
  /** How calls of a tool are treated; `traits` is what the server's annotations come to. */
  readonly mapTraits?: ((traits: McpToolTraits, tool: McpTool, client: McpClient) => McpToolTraits) | undefined;
  /** Names, as the model is told them, of tools that a tool search does not hide. It hides those of static providers only. */
  readonly alwaysVisible?: readonly string[] | undefined;
  /** Whether an invocation fails when a server does not answer: by default it goes on without its tools, and there is a warning. */
  readonly failIfOneServerFails?: boolean | undefined;
  /** Keeps `structuredContent` and `_meta` of results as attributes in the history, for the application. Off by default. */
  readonly returnToolResultAttributes?: boolean | undefined;
  /** Whether the servers are asked before each request to the model, and not once per invocation: they are by default. */
  readonly isDynamic?: boolean | undefined;
  /** The console by default. */
  readonly logger?: Logger | undefined;
}

const where = 'mcpToolProvider';
const known: readonly (keyof McpToolProviderOptions)[] = [
  'clients',
  'filter',
  'mapName',
  'mapSpecification',
  'mapTraits',
  'alwaysVisible',
  'failIfOneServerFails',
  'returnToolResultAttributes',
  'isDynamic',
  'logger',
];

/**
 * Offers the tools of MCP servers. They are the same tools until a server tells that its list has changed; a round has one set.
 *
 * Throws a `ConfigurationError` on options that can't work.
 *
 * @example
 * const assistant = aiService({ model, toolProviders: [mcpToolProvider({ clients: [files, search] })] });
 */
export function mcpToolProvider(options: McpToolProviderOptions): ToolProvider {
  check(options);
  const { clients, failIfOneServerFails, isDynamic = true, logger = console } = options;
  const toolsOf = offers({ ...options, logger });
  const listOf = (client: McpClient): Observable<readonly McpTool[]> =>
    client.tools().pipe(
      catchError((error: unknown) => {
        // What is set up wrongly is no failure of a server.
        if (failIfOneServerFails || error instanceof ConfigurationError) return throwError(() => asError(error));
        quietly(() => logger.warn(`mcp server ${client.name}: its tools are left out.`, error));
        return of(none);
      }),
    );
  return {
    isDynamic,
    provideTools: () => (clients.length === 0 ? [] : forkJoin(clients.map(listOf)).pipe(map(toolsOf))),
  };
}

const none: readonly McpTool[] = [];

/** Makes the tools of all lists; the same as long as the lists are. */
function offers(options: McpToolProviderOptions & { readonly logger: Logger }) {
  const { clients, filter = () => true, alwaysVisible = [], returnToolResultAttributes = false, logger } = options;
  const {
    mapName = ({ name }) => name,
    mapSpecification = (specification) => specification,
    mapTraits = (traits) => traits,
  } = options;
  const nameFor = toolNames();
  let last: { readonly lists: readonly (readonly McpTool[])[]; readonly tools: readonly Tool[] } | undefined;

  const made = (tool: McpTool, client: McpClient): Tool => {
    const wanted = mapSpecification(specificationOf(tool, mapName(tool, client)), tool, client);
    const specification = { ...wanted, name: nameFor(client, tool.name, wanted.name) };
    const isVisible = alwaysVisible.includes(specification.name);
    return mcpTool({
      client,
      mcpTool: tool,
      specification,
      traits: mapTraits({ ...annotatedTraits(tool), ...(isVisible && { searchBehavior: 'alwaysVisible' }) }, tool, client),
      keepsAttributes: returnToolResultAttributes,
      logger,
    });
  };
  return (lists: readonly (readonly McpTool[])[]): readonly Tool[] => {
    if (last && lists.every((list, place) => list === last!.lists[place])) return last.tools;
    const tools = lists.flatMap((list, place) => {
      const client = clients[place]!;
      return list.filter((tool) => filter(tool, client)).map((tool) => made(tool, client));
    });
    last = { lists, tools: Object.freeze(tools) };
    return tools;
  };
}

function specificationOf({ description, title, inputSchema }: McpTool, name: string): ToolSpecification {
  const text = description ?? title;
  return { name, ...(text !== undefined && { description: text }), parameters: inputSchema };
}

function check(options: McpToolProviderOptions): void {
  checkKnownOptions(where, options, known);
  const { clients, alwaysVisible } = options;
  if (!Array.isArray(clients))
    throw invalidOption(where, 'clients', clients, 'it must be an array of what mcpClient({ … }) returns');
  clients.forEach((client: unknown, place) => {
    if (client === undefined) throw invalidOption(where, `clients[${place}]`, client, 'it must be what mcpClient({ … }) returns');
    checkMethods(where, `clients[${place}]`, client, ['tools', 'callTool', 'close']);
  });
  for (const option of ['filter', 'mapName', 'mapSpecification', 'mapTraits'] as const)
    checkFunction(where, option, options[option]);
  if (alwaysVisible !== undefined && !Array.isArray(alwaysVisible))
    throw invalidOption(where, 'alwaysVisible', alwaysVisible, 'it must be an array of names');
  for (const option of ['failIfOneServerFails', 'returnToolResultAttributes', 'isDynamic'] as const)
    checkFlag(where, option, options[option]);
  checkMethods(where, 'logger', options.logger, ['warn', 'error', 'debug']);
}
