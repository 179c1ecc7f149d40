import { asyncScheduler } from 'rxjs';
import type { $ZodType } from 'zod/v4/core';
import { checkModel } from '../chat/check-model.ts';
import { ConfigurationError } from '../chat/configuration-error.ts';
import {
  checkCount,
  checkDuration,
  checkFlag,
  checkFunction,
  checkKnownOptions,
  checkMethods,
  checkText,
  checkedIds,
  invalidOption,
} from '../chat/option-checks.ts';
import { randomId } from '../chat/random-id.ts';
import type { ToolSpecification } from '../chat/tool-specification.ts';
import { captureAsyncContext } from '../memory/async-local.ts';
import { isChatMemory } from '../memory/is-chat-memory.ts';
import type { ToolProvider } from '../tool/tool-provider.ts';
import type { Tool } from '../tool/types.ts';
import { checkLimits } from './limits.ts';
import type { AiServiceOptions } from './options.ts';
import { outputFormat, type OutputFormat } from './output/output-format.ts';
import { augmentorOf } from './retrieval/retrieval.ts';
import { serviceTools } from './service-tools.ts';

/** A service's options, checked and with the defaults that hold in every mode. */
export type Settings = AiServiceOptions<unknown> &
  Required<
    Pick<
      AiServiceOptions,
      'maxToolCallingRoundTrips' | 'maxOutputGuardrailRetries' | 'logger' | 'scheduler' | 'idGenerator' | 'captureContext'
    >
  > & {
    readonly toolsByName: ReadonlyMap<string, Tool>;
    /** The same array for every request, so that a model can keep what it made of it. */
    readonly toolSpecifications: readonly ToolSpecification[];
    readonly staticProviders: readonly ToolProvider[];
    readonly dynamicProviders: readonly ToolProvider[];
    readonly augmentor: ReturnType<typeof augmentorOf>;
    readonly outputFormat: OutputFormat | undefined;
  };

const functions = [
  'chatMemoryProvider',
  'toolArgumentsErrorHandler',
  'toolExecutionErrorHandler',
  'hallucinatedToolNameStrategy',
  'approveToolExecution',
  'beforeToolExecution',
  'afterToolExecution',
  'chatRequestTransformer',
  'idGenerator',
  'captureContext',
] as const;

const flags = ['compensateOnToolErrors', 'storeRetrievedContentInChatMemory'] as const;

const functionLists = ['listeners', 'inputGuardrails', 'outputGuardrails'] as const;

/** With the least that each may be. */
const counts = [
  ['maxToolCallingRoundTrips', 0],
  ['toolConcurrency', 1],
  ['maxToolResultLength', 1],
  ['roundRetries', 0],
  ['maxOutputGuardrailRetries', 0],
] as const;

const known: readonly (keyof AiServiceOptions)[] = [
  'model',
  'name',
  'systemMessage',
  'tools',
  'toolProviders',
  'toolSearchStrategy',
  'output',
  'chatMemory',
  'toolTimeout',
  'limits',
  'contentRetriever',
  'retrievalAugmentor',
  'interceptors',
  'logger',
  'scheduler',
  ...functions,
  ...flags,
  ...functionLists,
  ...counts.map(([option]) => option),
];

/** Throws a `ConfigurationError` that names the option, its value and the remedy. */
export function settings(options: AiServiceOptions<unknown>): Settings {
  checkOptions(options);
  const providers = checkedProviders(options.toolProviders ?? []);
  const toolsByName = serviceTools(options);
  return {
    ...options,
    maxToolCallingRoundTrips: options.maxToolCallingRoundTrips ?? 100,
    maxOutputGuardrailRetries: options.maxOutputGuardrailRetries ?? 2,
    logger: options.logger ?? console,
    scheduler: options.scheduler ?? asyncScheduler,
    idGenerator: options.idGenerator ? checkedIds('aiService', options.idGenerator) : randomId,
    captureContext: options.captureContext ?? captureAsyncContext,
    toolsByName,
    toolSpecifications: [...toolsByName.values()].map(({ specification }) => specification),
    augmentor: augmentorOf(options),
    outputFormat: options.output && outputFormat(checkedOutput(options.output)),
    staticProviders: providers.filter(({ isDynamic }) => !isDynamic),
    dynamicProviders: providers.filter(({ isDynamic }) => isDynamic),
  };
}

function checkOptions(options: AiServiceOptions<unknown>): void {
  const where = 'aiService';
  checkKnownOptions(where, options, known);
  checkModel(where, options.model);
  if (options.name !== undefined) checkText(where, 'name', options.name);
  if (typeof options.systemMessage !== 'string') checkFunction(where, 'systemMessage', options.systemMessage);
  for (const option of functions) checkFunction(where, option, options[option]);
  for (const option of flags) checkFlag(where, option, options[option]);
  for (const [option, least] of counts) checkCount(where, option, options[option], least);
  for (const option of functionLists) checkFunctions(option, options[option]);
  checkDuration(where, 'toolTimeout', options.toolTimeout);
  checkLimits(options.limits);
  checkMemories(options);
  checkMethods(where, 'toolSearchStrategy', options.toolSearchStrategy, ['searchTools', 'search']);
  checkMethods(where, 'scheduler', options.scheduler, ['now', 'schedule']);
  checkMethods(where, 'logger', options.logger, ['warn', 'error', 'debug']);
  checkKnownOptions('aiService: interceptors', options.interceptors ?? {}, ['model', 'tool']);
  checkFunctions('interceptors.model', options.interceptors?.model);
  checkFunctions('interceptors.tool', options.interceptors?.tool);
}

/** Text that an output guardrail has not seen is not shown. */
export const holdsText = ({ outputGuardrails }: Settings): boolean =>
  outputGuardrails !== undefined && outputGuardrails.length > 0;

/** Those who can't take text back get it in one piece, once it has passed. */
export const isTextWhole = (settings: Settings): boolean => holdsText(settings) || settings.outputFormat !== undefined;

function checkMemories({ chatMemory, chatMemoryProvider }: AiServiceOptions<unknown>): void {
  if (chatMemory && chatMemoryProvider) {
    throw new ConfigurationError(
      'aiService: chatMemory and chatMemoryProvider exclude each other; keep the second for a memory per memoryId.',
    );
  }
  if (chatMemory !== undefined && !isChatMemory(chatMemory)) {
    throw invalidOption('aiService', 'chatMemory', chatMemory, 'it must be a chat memory, as messageWindowMemory({ … }) returns');
  }
}

function checkedOutput(output: unknown): $ZodType {
  if (typeof (output as { _zod?: unknown } | null)?._zod === 'object') return output as $ZodType;
  throw invalidOption('aiService', 'output', output, 'it must be a schema of zod 4, as z.object({ … })');
}

function checkedProviders(providers: unknown): readonly ToolProvider[] {
  if (!Array.isArray(providers)) throw invalidOption('aiService', 'toolProviders', providers, 'it must be an array');
  providers.forEach((provider: unknown, index) =>
    checkMethods('aiService', `toolProviders[${index}]`, provider ?? null, ['provideTools']),
  );
  return providers as readonly ToolProvider[];
}

function checkFunctions(option: string, list: unknown): void {
  if (list === undefined || (Array.isArray(list) && list.every((item) => typeof item === 'function'))) return;
  throw invalidOption('aiService', option, list, 'it must be an array of functions');
}
