import { asyncScheduler } from 'rxjs';
import type { ChatModel } from '../chat/chat-model.ts';
import { ConfigurationError } from '../chat/configuration-error.ts';
import {
  checkCount,
  checkDuration,
  checkFunction,
  checkKnownOptions,
  checkMethods,
  checkText,
  invalidOption,
} from '../chat/option-checks.ts';
import { randomId } from '../chat/random-id.ts';
import type { ToolSpecification } from '../chat/tool-specification.ts';
import { captureAsyncContext } from '../memory/async-local.ts';
import type { Tool } from '../tool/types.ts';
import type { AiServiceOptions } from './options.ts';

/** A service's options, checked and with the defaults that hold in every mode. */
export type Settings = AiServiceOptions &
  Required<Pick<AiServiceOptions, 'maxToolCallingRoundTrips' | 'logger' | 'scheduler' | 'idGenerator' | 'captureContext'>> & {
    readonly toolsByName: ReadonlyMap<string, Tool>;
    /** The same array for every request, so that a model can keep what it made of it. */
    readonly toolSpecifications: readonly ToolSpecification[];
  };

const known: readonly (keyof AiServiceOptions)[] = [
  'model',
  'name',
  'systemMessage',
  'tools',
  'chatMemory',
  'chatMemoryProvider',
  'toolArgumentsErrorHandler',
  'toolExecutionErrorHandler',
  'hallucinatedToolNameStrategy',
  'maxToolCallingRoundTrips',
  'toolConcurrency',
  'toolTimeout',
  'interceptors',
  'listeners',
  'logger',
  'scheduler',
  'idGenerator',
  'captureContext',
];

const functions = [
  'chatMemoryProvider',
  'toolArgumentsErrorHandler',
  'toolExecutionErrorHandler',
  'hallucinatedToolNameStrategy',
  'idGenerator',
  'captureContext',
] as const;

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
  checkMethods('aiService', 'scheduler', options.scheduler, ['now', 'schedule']);
  checkMethods('aiService', 'logger', options.logger, ['warn', 'error', 'debug']);
  checkFunctions('listeners', options.listeners);
  checkKnownOptions('aiService: interceptors', options.interceptors ?? {}, ['model', 'tool']);
  checkFunctions('interceptors.model', options.interceptors?.model);
  checkFunctions('interceptors.tool', options.interceptors?.tool);
  if (options.systemMessage !== undefined && typeof options.systemMessage !== 'string')
    checkFunction('aiService', 'systemMessage', options.systemMessage);
  const toolsByName = checkedTools(options.tools ?? []);
  return {
    ...options,
    maxToolCallingRoundTrips: options.maxToolCallingRoundTrips ?? 100,
    logger: options.logger ?? console,
    scheduler: options.scheduler ?? asyncScheduler,
    idGenerator: options.idGenerator ?? randomId,
    captureContext: options.captureContext ?? captureAsyncContext,
    toolsByName,
    toolSpecifications: [...toolsByName.values()].map(({ specification }) => specification),
  };
}

export function checkModel(where: string, model: ChatModel): void {
  if (typeof (model as Partial<ChatModel> | undefined)?.chat === 'function') return;
  throw invalidOption(where, 'model', model, 'it must be a chat model, as openAiChat({ … }) returns');
}

function checkMemories({ chatMemory, chatMemoryProvider }: AiServiceOptions): void {
  if (chatMemory && chatMemoryProvider) {
    throw new ConfigurationError(
      'aiService: chatMemory and chatMemoryProvider exclude each other; keep the second for a memory per memoryId.',
    );
  }
  if (chatMemory !== undefined && typeof (chatMemory as { messages?: unknown } | null)?.messages !== 'function') {
    throw invalidOption('aiService', 'chatMemory', chatMemory, 'it must be a chat memory, as messageWindowMemory({ … }) returns');
  }
}

function checkFunctions(option: string, list: unknown): void {
  if (list === undefined || (Array.isArray(list) && list.every((item) => typeof item === 'function'))) return;
  throw invalidOption('aiService', option, list, 'it must be an array of functions');
}

function checkedTools(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  if (!Array.isArray(tools)) throw invalidOption('aiService', 'tools', tools, 'it must be an array of tools');
  const byName = new Map<string, Tool>();
  tools.forEach((tool: Tool, index) => {
    const { specification, execute } = (tool ?? {}) as Partial<Tool>;
    if (typeof execute !== 'function' || !specification) {
      throw invalidOption('aiService', `tools[${index}]`, tool, 'it must be a tool, as tool({ … }) returns');
    }
    checkText('aiService', `tools[${index}].specification.name`, specification.name);
    if (byName.has(specification.name))
      throw new ConfigurationError(`aiService: two tools are named ${specification.name}; rename one.`);
    byName.set(specification.name, tool);
  });
  return byName;
}
