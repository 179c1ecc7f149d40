import { checkModel } from '../chat/check-model.ts';
import { checkRequest } from '../chat/check-request.ts';
import { chatRequestOptions } from '../chat/chat-request.ts';
import { checkKnownOptions, checkMethods, requireFunction } from '../chat/option-checks.ts';
import type { EventHub } from '../event/event-hub.ts';
import type { ChatMemory } from '../memory/chat-memory.ts';
import { conversation } from '../memory/conversation.ts';
import { heldMemories, whileHolding } from '../memory/held-memories.ts';
import { unstoppable } from '../memory/unstoppable.ts';
import type { InvocationContext } from '../tool/invocation-context.ts';
import type { Controls } from './controls.ts';
import type { ModeDefaults } from './modes.ts';
import type { Input, InvocationOptions } from './options.ts';
import { rememberRun } from './outer-runs.ts';
import { nothingGathered, type Run } from './run.ts';
import { runClock } from './run-clock.ts';
import { holdsText, type Settings } from './settings.ts';
import { tellBroken, tellUnwritten } from './tell-of-memory.ts';
import { toolset, type Toolset } from './toolset.ts';
import { userMessageOf } from './user-message-of.ts';

/** What all invocations of a service share. */
export interface Service {
  readonly settings: Settings;
  readonly hub: EventHub;
  readonly memoryFor: (memoryId: unknown) => ChatMemory | undefined;
  /** The tools, where no invocation has others than the service. */
  readonly fixedTools?: Toolset | undefined;
}

const known: readonly (keyof InvocationOptions)[] = ['memoryId', 'parameters', 'model', 'chatRequest', 'signal'];

/** Which invocation this is; throws a `ConfigurationError` on what can't be run. */
export function invocationContext(
  { settings }: Service,
  input: Input,
  options: InvocationOptions,
  invocationId: string,
): InvocationContext {
  checkKnownOptions('an invocation', options, known);
  const { memoryId, parameters = {}, chatRequest = {}, signal } = options;
  checkKnownOptions('an invocation: chatRequest', chatRequest, chatRequestOptions);
  checkRequest('an invocation: chatRequest', chatRequest);
  checkMethods('an invocation', 'signal', signal, ['addEventListener', 'removeEventListener']);
  const userMessage = userMessageOf(input);
  return {
    invocationId,
    ...(settings.name !== undefined && { serviceName: settings.name }),
    userMessage,
    originalUserMessage: userMessage,
    ...(memoryId !== undefined && { memoryId }),
    parameters: new Map(isMap(parameters) ? parameters : Object.entries(parameters)),
    timestamp: settings.scheduler.now(),
  };
}

/** Makes a run of what the service and the caller have set. */
export function beginRun(
  { settings, hub, memoryFor, fixedTools }: Service,
  defaults: ModeDefaults,
  invocation: InvocationContext,
  options: InvocationOptions,
  controls: Controls,
): Run {
  const { model = settings.model, chatRequest = {} } = options;
  checkModel('an invocation', model);
  const memory = memoryFor(invocation.memoryId);
  const duration = settings.limits?.duration;
  const run: Run = {
    settings,
    policy: {
      toolArgumentsErrorHandler: settings.toolArgumentsErrorHandler ?? defaults.toolArgumentsErrorHandler,
      toolExecutionErrorHandler: settings.toolExecutionErrorHandler ?? defaults.toolExecutionErrorHandler,
      toolConcurrency: settings.toolConcurrency ?? defaults.toolConcurrency,
      retractsText: defaults.retractsText,
      // What does not fit the output is asked for again: shown text has to be such as can be taken back.
      holdsText: holdsText(settings) || (settings.outputFormat !== undefined && !defaults.retractsText),
      ...(model.supports?.jsonSchema && settings.outputFormat && { responseFormat: settings.outputFormat.responseFormat }),
    },
    invocation,
    model,
    chatRequest,
    memory,
    conversation: conversation(memory, invocation.userMessage, (problems) => tellBroken(run, problems)),
    unstoppable: unstoppable((error) => tellUnwritten(run, error)),
    tools: fixedTools ?? toolset(settings),
    clock: duration === undefined ? undefined : runClock(duration, settings.scheduler),
    controls,
    gathered: nothingGathered(),
    fire: hub.fire,
    ...contextOf(settings, memory),
  };
  rememberRun(run);
  return run;
}

/** Takes the async context of the subscription that is being made. */
export function contextOf(
  { captureContext }: Settings,
  memory: ChatMemory | undefined,
): Pick<Run, 'inContext' | 'inUserCode' | 'held'> {
  const outer = heldMemories();
  const held = memory && { memory, outer, isOver: false };
  const inner = held ?? outer;
  const captured = captureContext();
  requireFunction('aiService', 'what captureContext returned', captured);
  return {
    held,
    inContext: (work) => captured(() => whileHolding(outer, work)),
    inUserCode: (work) => captured(() => whileHolding(inner, work)),
  };
}

function isMap(value: object): value is ReadonlyMap<string, unknown> {
  return value instanceof Map;
}
