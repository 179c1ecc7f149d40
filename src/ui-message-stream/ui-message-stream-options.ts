import { checkFlag, checkFunction, checkKnownOptions, checkText } from '../chat/option-checks.ts';
import type { AiServiceStreamingEvent } from '../service/streaming-event.ts';
import { ApprovalExpiredError } from './approval-expired-error.ts';

export interface UiMessageStreamOptions {
  /** The id of the message; by default the client gives it one. */
  readonly messageId?: string;
  /** What the user is told of an error, of the invocation or of a tool. By default a text that tells nothing of it. */
  readonly onError?: (error: Error) => string;
  /** What is merged into the message's metadata when this has happened; nothing for `undefined`. */
  readonly messageMetadata?: (event: AiServiceStreamingEvent) => unknown;
  /** Whether the model's thoughts are told: by default they are. */
  readonly sendReasoning?: boolean;
  /** Whether it is told where retrieved contents come from, and how they begin: by default it is not. */
  readonly sendSources?: boolean;
  /** Whether the user is asked: by default. Not where the service's own `approveToolExecution` decides. */
  readonly sendApprovals?: boolean;
  /** Which tools have parts of the type `dynamic-tool`; by default none, and their type is `tool-<name>`. */
  readonly isDynamic?: (toolName: string) => boolean;
}

export type UiMessageStreamSettings = UiMessageStreamOptions & {
  readonly errorText: (error: Error) => string;
  readonly sendReasoning: boolean;
  readonly sendSources: boolean;
  readonly sendApprovals: boolean;
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
  const { messageId, onError = masked, sendReasoning = true, sendSources = false, sendApprovals = true } = options;
  if (messageId !== undefined) checkText(where, 'messageId', messageId);
  for (const option of ['onError', 'messageMetadata', 'isDynamic'] as const) checkFunction(where, option, options[option]);
  for (const option of ['sendReasoning', 'sendSources', 'sendApprovals'] as const) checkFlag(where, option, options[option]);
  return { ...options, errorText: textBy(onError), sendReasoning, sendSources, sendApprovals };
}

function masked(error: Error): string {
  return error instanceof ApprovalExpiredError ? error.message : maskedText;
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
