import { asyncScheduler } from 'rxjs';
import type { ChatModel } from '../chat/chat-model.ts';
import { ConfigurationError } from '../chat/configuration-error.ts';
import { jsonText } from '../chat/json-safe.ts';
import { checkCount, checkDuration, checkFunction, checkKnownOptions, checkText } from '../chat/option-checks.ts';
import type { ToolSpecification } from '../chat/tool-specification.ts';
import { captureAsyncContext } from '../memory/async-local.ts';
import type { Tool } from '../tool/types.ts';
import type { AiServiceOptions } from './options.ts';

/** A service's options, checked and with the defaults that hold in every mode. */
export type Settings = AiServiceOptions & Required<Pick<AiServiceOptions, 'maxToolCallingRoundTrips' | 'logger' | 'scheduler' | 'idGenerator' | 'captureContext'>> & {
  readonly toolsByName: ReadonlyMap<string, Tool>;
  /** The same array for every request, so that a model can keep what it made of it. */
  readonly toolSpecifications: readonly ToolSpecification[];
};

const known: readonly (keyof AiServiceOptions)[] = [
  'model', 'name', 'systemMessage', 'tools', 'chatMemory', 'chatMemoryProvider', 'toolArgumentsErrorHandler', 'toolExecutionErrorHandler',
  'hallucinatedToolNameStrategy', 'maxToolCallingRoundTrips', 'toolConcurrency', 'toolTimeout', 'interceptors', 'listeners', 'logger',
  'scheduler', 'idGenerator', 'captureContext',
];

const functions = ['chatMemoryProvider', 'toolArgumentsErrorHandler', 'toolExecutionErrorHandler', 'hallucinatedToolNameStrategy', 'idGenerator', 'captureContext'] as const;

/** Throws a `ConfigurationError` that names the option, its value and the remedy. */
export function settings(options: AiServiceOptions): Settings {
  checkKnownOptions('aiService', options, known);
  checkModel('aiService', options.model);
  if (options.name !== undefined) checkText('aiService', 'name', options.name);
  for (const option of functions) checkFunction('aiService', option, options[option]);
  checkCount('aiService', 'maxToolCallingRoundTrips', options.maxToolCallingRoundTrips, 0);
  checkCount('aiService', 'toolConcurrency', options.toolConcurrency, 1);
  checkDuration('aiService', 'toolTimeout', options.toolTimeout);
  checkMemories(options);
  checkFunctions('listeners', options.listeners);
  checkKnownOptions('interceptors of aiService', options.interceptors ?? {}, ['model', 'tool']);
  checkFunctions('interceptors.model', options.interceptors?.model);
  checkFunctions('interceptors.tool', options.interceptors?.tool);
  if (options.systemMessage !== undefined && typeof options.systemMessage !== 'string') checkFunction('aiService', 'systemMessage', options.systemMessage);
  const toolsByName = checkedTools(options.tools ?? []);
  return {
    ...options,
    maxToolCallingRoundTrips: options.maxToolCallingRoundTrips ?? 100,
    logger: options.logger ?? console,
    scheduler: options.scheduler ?? asyncScheduler,
    idGenerator: options.idGenerator ?? (() => crypto.randomUUID()),
    captureContext: options.captureContext ?? captureAsyncContext,
    toolsByName,
    toolSpecifications: [...toolsByName.values()].map(({ specification }) => specification),
  };
}

export function checkModel(where: string, model: ChatModel): void {
  if (typeof (model as Partial<ChatModel> | undefined)?.chat === 'function') return;
  throw new ConfigurationError(`model of ${where} is ${jsonText(model)}; it must be a chat model, such as openAiChat({ … }) returns.`);
}

function checkMemories({ chatMemory, chatMemoryProvider }: AiServiceOptions): void {
  if (chatMemory && chatMemoryProvider) {
    throw new ConfigurationError('aiService has both chatMemory and chatMemoryProvider: keep the first for one conversation, or the second for one per memoryId.');
  }
  if (chatMemory !== undefined && typeof (chatMemory as { messages?: unknown } | null)?.messages !== 'function') {
    throw new ConfigurationError(`chatMemory of aiService is ${jsonText(chatMemory)}; it must be a chat memory, such as messageWindowMemory({ … }) returns.`);
  }
}

function checkFunctions(option: string, list: unknown): void {
  if (list === undefined || (Array.isArray(list) && list.every((item) => typeof item === 'function'))) return;
  throw new ConfigurationError(`${option} of aiService is ${jsonText(list)}; it must be an array of functions.`);
}

function checkedTools(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  if (!Array.isArray(tools)) throw new ConfigurationError(`tools of aiService is ${jsonText(tools)}; it must be an array of tools.`);
  const byName = new Map<string, Tool>();
  tools.forEach((tool: Tool, index) => {
    const { specification, execute } = (tool ?? {}) as Partial<Tool>;
    if (typeof execute !== 'function' || !specification) {
      throw new ConfigurationError(`tools[${index}] of aiService is ${jsonText(tool)}; it must be a tool, such as tool({ … }) returns.`);
    }
    checkText('aiService', `tools[${index}].specification.name`, specification.name);
    if (byName.has(specification.name)) throw new ConfigurationError(`Two tools of aiService are named ${specification.name}: rename one, the model can't tell them apart.`);
    byName.set(specification.name, tool);
  });
  return byName;
}
