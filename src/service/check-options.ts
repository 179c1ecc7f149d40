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
  invalidOption,
} from '../chat/option-checks.ts';
import { isChatMemory } from '../memory/is-chat-memory.ts';
import { checkLimits } from './limits.ts';
import type { AiServiceOptions } from './options.ts';

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

/** Throws a `ConfigurationError` for an option that there is not, or whose value is of another kind than it takes. */
export function checkOptions(options: AiServiceOptions<unknown>): void {
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

function checkFunctions(option: string, list: unknown): void {
  if (list === undefined || (Array.isArray(list) && list.every((item) => typeof item === 'function'))) return;
  throw invalidOption('aiService', option, list, 'it must be an array of functions');
}
