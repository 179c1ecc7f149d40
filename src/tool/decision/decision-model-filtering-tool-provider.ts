import { catchError, concatMap, map, of, type Observable } from 'rxjs';
import type { ChatMessage } from '../../chat/message.ts';
import { checkCount, checkFunction, checkKnownOptions, checkMethods, invalidOption } from '../../chat/option-checks.ts';
import { fromValue } from '../../chat/value.ts';
import { quietly } from '../quietly.ts';
import { messageOf } from '../tool-errors.ts';
import type { ToolProvider, ToolProviderRequest } from '../tool-provider.ts';
import type { Logger, Tool } from '../types.ts';
import { conversationText } from './conversation-text.ts';
import { selectTools, toolSelectionOptions, type ToolSelectionOptions } from './select-tools.ts';

/** What happens when the decision model fails: all tools, only the protected ones (both with a warning), or the error. */
export type DecisionFallbackStrategy = 'allTools' | 'noTools' | 'fail';

export interface DecisionModelFilteringToolProviderOptions extends ToolSelectionOptions {
  /** Whose tools are filtered. */
  readonly toolProvider: ToolProvider;
  /** How many tools may be selected beside those that always pass; no limit by default. */
  readonly maxResults?: number | undefined;
  /** How many of the last messages the decision model is told, beside the system messages: 10 by default, 1 for the user's alone. */
  readonly maxMessages?: number | undefined;
  /** Which messages the decision model may be told. The user's message is told in any case. */
  readonly messageFilter?: ((message: ChatMessage) => boolean) | undefined;
  /** How many characters of a message are told, half of them of its end: 1000 by default. */
  readonly maxMessageLength?: number | undefined;
  /** The names of tools that always pass. */
  readonly alwaysInclude?: readonly string[] | undefined;
  /** `allTools` by default. */
  readonly fallbackStrategy?: DecisionFallbackStrategy | undefined;
  /** Is told of a fallback: the console by default. */
  readonly logger?: Pick<Logger, 'warn'> | undefined;
}

const known: readonly (keyof DecisionModelFilteringToolProviderOptions)[] = [
  ...toolSelectionOptions,
  'toolProvider',
  'maxMessages',
  'messageFilter',
  'maxMessageLength',
  'alwaysInclude',
  'fallbackStrategy',
  'logger',
];

const fallbackStrategies: readonly unknown[] = ['allTools', 'noTools', 'fail'] satisfies DecisionFallbackStrategy[];

/**
 * Passes on only those tools of another provider that help with what the user asks, as a decision model judges by the
 * conversation: the likeliest first, behind those that always pass. These are the tools that are always visible, those of
 * `alwaysInclude`, and those that the conversation has calls of. A message without text lets all tools pass.
 *
 *     tools     --t|
 *     decide      ---d|
 *     provided  -----(t|)
 *
 * It is dynamic if the other provider is; then it decides anew before each request to the model.
 *
 * Throws a `ConfigurationError` on options that can't work.
 *
 * @example
 * const relevant = decisionModelFilteringToolProvider({
 *   toolProvider: hundredsOfTools,
 *   decisionModel: chatDecisionModel({ model: smallModel }),
 *   maxResults: 8,
 * });
 */
export function decisionModelFilteringToolProvider(options: DecisionModelFilteringToolProviderOptions): ToolProvider {
  const where = 'decisionModelFilteringToolProvider';
  checkOptions(where, options);
  const { toolProvider, alwaysInclude = [], fallbackStrategy = 'allTools', logger = console } = options;
  const { maxMessages = 10, messageFilter = () => true, maxMessageLength = 1000 } = options;
  const select = selectTools(where, options);

  const warn = (error: unknown, consequence: string) =>
    quietly(() => logger.warn(`${where}: the decision model failed (${messageOf(error)}); ${consequence}.`, error));

  const filtered = (request: ToolProviderRequest, tools: readonly Tool[]): Observable<readonly Tool[]> => {
    const called = request.messages.flatMap((message) => (message.role === 'assistant' ? message.toolExecutionRequests : []));
    const names = new Set([...alwaysInclude, ...called.map(({ name }) => name)]);
    const isProtected = (tool: Tool) => tool.searchBehavior === 'alwaysVisible' || names.has(tool.specification.name);
    const safe = tools.filter(isProtected);
    const candidates = tools.filter((tool) => !isProtected(tool));
    if (candidates.length === 0) return of(tools);
    const input = conversationText(request, { maxMessages, messageFilter, maxMessageLength });
    const specifications = candidates.map(({ specification }) => specification);
    return select(input, specifications).pipe(
      map((selected) => {
        const rank = new Map(selected.map((name, place) => [name, place]));
        const rankOf = ({ specification }: Tool) => rank.get(specification.name) ?? -1;
        return [...safe, ...candidates.filter((tool) => rankOf(tool) >= 0).sort((one, other) => rankOf(one) - rankOf(other))];
      }),
      catchError((error: unknown) => {
        if (fallbackStrategy === 'fail') throw error;
        const all = fallbackStrategy === 'allTools';
        warn(error, all ? 'all tools are passed on' : 'only the tools that always pass are passed on');
        return of(all ? tools : safe);
      }),
    );
  };

  return {
    get isDynamic() {
      return toolProvider.isDynamic === true;
    },
    provideTools: (request) =>
      fromValue(() => toolProvider.provideTools(request)).pipe(
        // What are no tools is for the service to judge, as from any other provider.
        concatMap((tools) => (areTools(tools) && hasText(request) ? filtered(request, tools) : of(tools))),
      ),
  };
}

function areTools(tools: unknown): tools is readonly Tool[] {
  return Array.isArray(tools) && tools.every((tool: Partial<Tool> | null) => typeof tool?.specification?.name === 'string');
}

function hasText({ invocation }: ToolProviderRequest): boolean {
  return invocation.originalUserMessage.contents.some((content) => content.type === 'text' && content.text.trim() !== '');
}

function checkOptions(where: string, options: DecisionModelFilteringToolProviderOptions): void {
  checkKnownOptions(where, options, known);
  const { toolProvider, alwaysInclude, fallbackStrategy } = options;
  if (typeof (toolProvider as Partial<ToolProvider> | undefined)?.provideTools !== 'function')
    throw invalidOption(where, 'toolProvider', toolProvider, 'it must be an object with the method provideTools');
  checkCount(where, 'maxMessages', options.maxMessages, 1);
  checkCount(where, 'maxMessageLength', options.maxMessageLength, 1);
  checkFunction(where, 'messageFilter', options.messageFilter);
  checkMethods(where, 'logger', options.logger, ['warn']);
  if (alwaysInclude !== undefined && !(Array.isArray(alwaysInclude) && alwaysInclude.every((name) => typeof name === 'string')))
    throw invalidOption(where, 'alwaysInclude', alwaysInclude, 'it must be an array of names of tools');
  if (fallbackStrategy !== undefined && !fallbackStrategies.includes(fallbackStrategy))
    throw invalidOption(where, 'fallbackStrategy', fallbackStrategy, `it must be one of ${fallbackStrategies.join(', ')}`);
}
