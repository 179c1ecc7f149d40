import { checkFlag, checkFunction, checkKnownOptions, checkText } from '../chat/option-checks.ts';
import { InvocationCancelledError } from '../service/service-errors.ts';
import type { AiServiceStreamingEvent } from '../service/streaming-event.ts';
import { ApprovalExpiredError } from './approval-expired-error.ts';
import { logError } from './log-error.ts';

export interface UiMessageStreamOptions {
  /** The id of the message; by default the client gives it one. */
  readonly messageId?: string | undefined;
  /** What the user is told of an error, of the invocation or of a tool. By default a text that tells nothing of it, and the error is logged by `console.error`. */
  readonly onError?: ((error: Error) => string) | undefined;
  /** What is merged into the message's metadata when this has happened; nothing for `undefined`, and where it throws, which is logged. */
  readonly messageMetadata?: ((event: AiServiceStreamingEvent) => unknown) | undefined;
  /** Whether the model's thoughts are told: by default they are. */
  readonly sendReasoning?: boolean | undefined;
  /** Whether it is told where retrieved contents come from, and how they begin: by default it is not. */
  readonly sendSources?: boolean | undefined;
  /** Whether the user is asked: by default. Not where the service's own `approveToolExecution` decides. */
  readonly sendApprovals?: boolean | undefined;
  /** Which tools have parts of the type `dynamic-tool`; by default none, and their type is `tool-<name>`. Asked once for each; where it throws, which is logged, it has none. */
  readonly isDynamic?: ((toolName: string) => boolean) | undefined;
}

export type UiMessageStreamSettings = UiMessageStreamOptions & {
  readonly errorText: (error: Error) => string;
  readonly sendReasoning: boolean;
  readonly sendSources: boolean;
  readonly sendApprovals: boolean;
  readonly isDynamic: (toolName: string) => boolean;
  readonly messageMetadata: (event: AiServiceStreamingEvent) => unknown;
};

const known: readonly (keyof UiMessageStreamOptions)[] = [
  'messageId',
  'onError',
  'messageMetadata',
  'sendReasoning',
  'sendSources',
  'sendApprovals',
  'isDynamic',
];

const maskedText = 'An error occurred.';

/** Options with their defaults; throws a `ConfigurationError` on those that can't work. */
export function uiMessageStreamSettings(where: string, options: UiMessageStreamOptions): UiMessageStreamSettings {
  checkKnownOptions(where, options, known);
  const {
    messageId,
    onError = masking(),
    isDynamic,
    messageMetadata,
    sendReasoning = true,
    sendSources = false,
    sendApprovals = true,
  } = options;
  if (messageId !== undefined) checkText(where, 'messageId', messageId);
  for (const option of ['onError', 'messageMetadata', 'isDynamic'] as const) checkFunction(where, option, options[option]);
  for (const option of ['sendReasoning', 'sendSources', 'sendApprovals'] as const) checkFlag(where, option, options[option]);
  const safely = { isDynamic: onceEach(safe('isDynamic', isDynamic)), messageMetadata: safe('messageMetadata', messageMetadata) };
  return { ...options, ...safely, errorText: textBy(onError), sendReasoning, sendSources, sendApprovals };
}

function masking(): (error: Error) => string {
  /** One that fails calls and then the invocation is logged once. */
  const logged = new WeakSet<Error>();
  return (error) => {
    if (error instanceof ApprovalExpiredError) return error.message;
    // A cancel is wanted.
    if (!(error instanceof InvocationCancelledError) && !logged.has(error))
      logError(`An error that the user is told as "${maskedText}" (onError words and logs it in your way):`, error);
    logged.add(error);
    return maskedText;
  };
}

function safe<Asked>(option: string, callback: ((asked: Asked) => unknown) | undefined): (asked: Asked) => unknown {
  let hasThrown = false;
  return (asked) => {
    try {
      return callback?.(asked);
    } catch (error) {
      // Once: it may do so at each token.
      if (!hasThrown) logError(`${option} of the UI message stream has thrown:`, error);
      hasThrown = true;
      return undefined;
    }
  };
}

/** A part does not change its kind. */
function onceEach(isDynamic: (toolName: string) => unknown): (toolName: string) => boolean {
  const known = new Map<string, boolean>();
  return (toolName) => {
    const isOne = known.get(toolName) ?? Boolean(isDynamic(toolName));
    // Models make names up: not all of them are kept.
    if (known.size < 1000) known.set(toolName, isOne);
    return isOne;
  };
}

/** An error is told in any case. */
function textBy(onError: (error: Error) => string): (error: Error) => string {
  return (error) => {
    try {
      const text: unknown = onError(error);
      return typeof text === 'string' ? text : maskedText;
    } catch {
      return maskedText;
    }
  };
}
