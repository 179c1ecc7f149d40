import type { ToolExecutionRequest } from '../chat/message.ts';
import type { ToolSpecification } from '../chat/tool-specification.ts';
import type { Value } from '../chat/value.ts';
import { closestName } from '../chat/closest-name.ts';
import type { ToolContext } from './types.ts';

/** What a strategy is told about a call of a tool that there is not. */
export interface HallucinatedToolNameContext extends ToolContext {
  /** The tools that the model could have called. */
  readonly availableTools: readonly ToolSpecification[];
}

/** Decides on a call of a tool that there is not: its text goes to the model; what it throws fails the invocation. */
export type HallucinatedToolNameStrategy = (request: ToolExecutionRequest, context: HallucinatedToolNameContext) => Value<string>;

/** Names beyond this many are only counted. */
const maxNames = 100;

/** No provider takes longer names. */
const maxNameLength = 64;

/** Ready-made strategies for calls of tools that there are not. */
export const hallucinatedToolNameStrategy = {
  /**
   * Tells the model that the tool does not exist, which one it may have meant, and which ones there are.
   *
   * @example
   * aiService({ model, tools, hallucinatedToolNameStrategy: hallucinatedToolNameStrategy.tellAvailableTools() });
   */
  tellAvailableTools:
    (): HallucinatedToolNameStrategy =>
    (request, { availableTools }) => {
      const names = availableTools.map(({ name }) => name);
      const said = harmless(request.name);
      const meant = closestName(said, names);
      return [
        `There is no tool named "${said}".`,
        ...(meant === undefined ? [] : [`Did you mean ${quoted(meant)}?`]),
        list(names),
      ].join(' ');
    },
} as const;

function list(names: readonly string[]): string {
  if (names.length === 0) return 'There are no tools: answer without one.';
  const more = names.length > maxNames ? `, and ${names.length - maxNames} more` : '';
  return `The tools are: ${names.slice(0, maxNames).map(quoted).join(', ')}${more}.`;
}

/**
 * A name that the model made up, fit to be told to it again: short, and without template tokens, which a server might
 * take for its own, and line breaks.
 */
function harmless(name: string): string {
  const short = name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name;
  return short.replace(/[^\p{L}\p{M}\p{N} _.:/…-]/gu, '?');
}

const quoted = (name: string): string => JSON.stringify(name);
