import { SpanStatusCode, type Span, type TimeInput } from '@opentelemetry/api';
import { ConfigurationError } from '../chat/configuration-error.ts';
import { ChatMemoryBusyError } from '../memory/in-turn.ts';
import { ApprovalRequiredError, InvocationCancelledError, LimitExceededError } from '../service/service-errors.ts';
import { ToolTimeoutError, isError, unwrapped } from '../tool/tool-errors.ts';
import { errorType } from './gen-ai.ts';
import type { Guard } from './guard.ts';

/** Why a span did not end well. */
export interface Failure {
  /** Of low cardinality: the kind of a model's error, the name of any other. */
  readonly type: string;
  readonly message?: string;
  readonly exception?: { readonly name: string; readonly message?: string; readonly stack?: string };
}

/**
 * Somebody left. An error with a type of its own, as for other clients: the operation did not do what it was to do, and whoever
 * counts errors can leave these out.
 */
export const cancelled: Failure = { type: errorType.cancelled, message: 'cancelled' };

/**
 * What these say is ours, and quotes neither the model nor the user nor a provider, which may quote a whole request. By class, since
 * anybody's error may have such a name; one of another copy of this package is told like a stranger's.
 */
const plain = [
  ApprovalRequiredError,
  ChatMemoryBusyError,
  ConfigurationError,
  InvocationCancelledError,
  LimitExceededError,
  ToolTimeoutError,
];

/** @param mayQuote - Whether content is recorded, and so may stand in a message. */
export function failureOf(thrown: unknown, mayQuote: boolean): Failure {
  try {
    const { error } = unwrapped(thrown);
    const name = nameOf(error);
    const { kind } = error as { kind?: unknown };
    const isOfModel = name === 'ChatModelError' && typeof kind === 'string';
    const type = isOfModel ? kind : name;
    const { message, stack } = error;
    if (mayQuote || plain.some((ours) => error instanceof ours))
      return { type, message, exception: { name, message, ...(typeof stack === 'string' && { stack }) } };
    const frames = framesOf(String(message), stack);
    const exception = { name, ...(frames && { stack: frames }) };
    return isOfModel ? { type, message: toldWithoutWords(kind, error), exception } : { type, exception };
  } catch {
    // A getter of what was thrown has thrown.
    return { type: '_OTHER' };
  }
}

/** What a model's error says beside the provider's words. */
function toldWithoutWords(kind: string, error: object): string {
  const { status, requestId } = error as { readonly status?: unknown; readonly requestId?: unknown };
  return [
    kind,
    ...(typeof status === 'number' ? [`status ${status}`] : []),
    ...(typeof requestId === 'string' ? [`request ${requestId}`] : []),
  ].join(', ');
}

/** The lines of a stack behind the message, which may have several and look like anything. */
function framesOf(message: string, stack: unknown): string | undefined {
  if (typeof stack !== 'string') return undefined;
  const start = stack.indexOf(message);
  const lines = (start < 0 ? stack : stack.slice(start + message.length)).split('\n').filter(Boolean);
  const isBare = (line: string) => /^[^\s@]*@\S+:\d+:\d+$/.test(line);
  // A stack that does not hold the message holds none, as in Firefox, or an earlier one that nobody can tell from the frames.
  const frames = lines.filter((line) => isBare(line) || (start >= 0 && /^\s+at \S/.test(line)));
  const isTrusted = start >= 0 || frames.length === lines.length;
  return isTrusted && frames.length > 0 ? frames.join('\n') : undefined;
}

/** `Error` says nothing where the class has a name; and what is no word is no name. */
function nameOf(error: Error): string {
  const { name } = error;
  if (typeof name === 'string' && /^[\w$.:-]{1,100}$/.test(name) && name !== 'Error') return name;
  const ofClass = isError(error) ? error.constructor?.name : undefined;
  return ofClass || 'Error';
}

/** Ends a span, whatever of it throws; without a failure its status is left unset, which means that nothing went wrong. */
export function endSpan(guard: Guard, span: Span, failure: Failure | undefined, time: TimeInput | undefined): void {
  if (failure) {
    const { exception, message, type } = failure;
    guard(() => span.setAttribute('error.type', type));
    if (exception) guard(() => span.recordException(exception, time));
    guard(() => span.setStatus({ code: SpanStatusCode.ERROR, ...(message !== undefined && { message }) }));
  }
  guard(() => span.end(time));
}
