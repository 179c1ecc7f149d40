import { ConfigurationError } from '../chat/configuration-error.ts';
import type { ChatMessage } from '../chat/message.ts';
import { checkText, invalidOption } from '../chat/option-checks.ts';
import type { ToolSpecification } from '../chat/tool-specification.ts';
import type { Tool } from '../tool/types.ts';
import { foundIn } from './found-tools.ts';
import type { Settings } from './settings.ts';

/** The tools of one invocation: those that can run, and those that the model is told of. */
export interface Toolset {
  /** All that can run. It only grows: the model may call in this round what it was told of in an earlier one. */
  byName(): ReadonlyMap<string, Tool>;
  /** Adds tools for the whole invocation; throws a `ConfigurationError` when a name is taken. */
  add(tools: readonly Tool[]): void;
  /** Adds tools that are hidden behind the search tools, and these. */
  addSearch(searchTools: readonly Tool[]): void;
  /** The tools that dynamic providers offer for the next request, instead of those that they offered before. */
  offer(tools: readonly Tool[]): void;
  /** What the model was told last. */
  told(): readonly ToolSpecification[];
  /** What a search may find. */
  searchable(): readonly ToolSpecification[];
  /** What a search has found stays visible. */
  show(names: readonly string[]): void;
  /** What a request with these messages tells the model. The same array while nothing changes, so that a model can keep what it made of it. */
  specifications(messages: readonly ChatMessage[]): readonly ToolSpecification[];
}

export function toolset({ toolsByName, toolSpecifications }: Pick<Settings, 'toolsByName' | 'toolSpecifications'>): Toolset {
  let byName: ReadonlyMap<string, Tool> = toolsByName;
  /** There for the whole invocation: the service's own, then those of static providers. */
  let lasting: readonly Tool[] = [...toolsByName.values()];
  let searchTools: readonly Tool[] | undefined;
  const found = new Set<string>();
  let offered: readonly Tool[] = [];
  /** Everything that was ever offered. */
  const dynamic = new Map<string, Tool>();
  let told = toolSpecifications;

  const learn = (tools: readonly Tool[], whose: string) => {
    const names = new Map(byName);
    for (const tool of tools) {
      if (names.has(nameOf(tool)))
        throw new ConfigurationError(`aiService: two tools are named ${nameOf(tool)}, one of them ${whose}; rename one.`);
      names.set(nameOf(tool), tool);
    }
    byName = names;
  };
  const isShown = (
    { specification: { name }, searchBehavior }: Tool,
    earlier: ReadonlySet<string>,
    called: ReadonlySet<string>,
  ) => !searchTools || searchBehavior === 'alwaysVisible' || found.has(name) || earlier.has(name) || called.has(name);
  const isWithdrawn = (tool: Tool, called: ReadonlySet<string>) => !offered.includes(tool) && called.has(nameOf(tool));

  return {
    byName: () => byName,
    told: () => told,
    add(tools) {
      learn(tools, 'of a tool provider');
      lasting = [...lasting, ...tools];
    },
    addSearch(tools) {
      learn(tools, 'of the toolSearchStrategy');
      searchTools = tools;
    },
    offer(tools) {
      const lastingNames = new Set([...lasting, ...(searchTools ?? [])].map(nameOf));
      const fresh = new Map<string, Tool>();
      for (const tool of tools) if (!lastingNames.has(nameOf(tool)) && !fresh.has(nameOf(tool))) fresh.set(nameOf(tool), tool);
      offered = [...fresh.values()];
      for (const tool of offered) dynamic.set(nameOf(tool), tool);
      byName = new Map([...byName, ...fresh]);
    },
    searchable: () =>
      lasting.filter(({ searchBehavior }) => searchBehavior !== 'alwaysVisible').map((tool) => tool.specification),
    show: (names) => {
      for (const name of names) found.add(name);
    },
    specifications(messages) {
      if (!searchTools && dynamic.size === 0 && told.length === lasting.length) return told;
      // Providers refuse a history with calls of tools that they are not told of.
      const called = searchTools || dynamic.size > offered.length ? calledIn(messages) : none;
      const earlier = searchTools ? foundIn(messages) : none;
      const shown = lasting.filter((tool) => isShown(tool, earlier, called));
      const withdrawn = [...dynamic.values()].filter((tool) => isWithdrawn(tool, called));
      const all = [...(searchTools ?? []), ...shown, ...offered, ...withdrawn].map((tool) => tool.specification);
      const isSame = all.length === told.length && all.every((specification, index) => specification === told[index]);
      if (!isSame) told = all;
      return told;
    },
  };
}

const none: ReadonlySet<string> = new Set();

function calledIn(messages: readonly ChatMessage[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const { name } of message.toolExecutionRequests) names.add(name);
  }
  return names;
}

const nameOf = (tool: Tool): string => tool.specification.name;

/** Throws a `ConfigurationError` unless it is an array of tools. */
export function checkTools(where: string, option: string, tools: unknown): asserts tools is readonly Tool[] {
  if (!Array.isArray(tools)) throw invalidOption(where, option, tools, 'it must be an array of tools');
  tools.forEach((tool: unknown, index) => {
    const { specification, execute } = (tool ?? {}) as Partial<Tool>;
    if (typeof execute !== 'function' || !specification)
      throw invalidOption(
        where,
        `${option}[${index}]`,
        tool,
        'it must be a tool, as tool({ … }) returns, or an instance with @Tool methods',
      );
    checkText(where, `${option}[${index}].specification.name`, specification.name);
  });
}
