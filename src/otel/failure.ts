import { SpanStatusCode, type Span, type TimeInput } from '@opentelemetry/api';
import { isArgumentsError, isError, unwrapped } from '../tool/tool-errors.ts';
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

/** By name: what these say quotes what the model or the user has said. */
const quoting = new Set(['ToolArgumentsError', 'StructuredOutputError', 'InputGuardrailError', 'OutputGuardrailError']);

/** @param mayQuote - Whether content is recorded, and so may stand in a message. */
export function failureOf(thrown: unknown, mayQuote: boolean): Failure {
  try {
    const { error } = unwrapped(thrown);
    const name = nameOf(error);
    const { kind } = error as { kind?: unknown };
    const type = name === 'ChatModelError' && typeof kind === 'string' ? kind : name;
    if (!mayQuote && (quoting.has(name) || isArgumentsError(thrown))) return { type, exception: { name } };
    const { message, stack } = error;
    return { type, message, exception: { name, message, ...(typeof stack === 'string' && { stack }) } };
  } catch {
    // A getter of what was thrown has thrown.
    return { type: '_OTHER' };
  }
}

/** `Error` says nothing where the class has a name. */
function nameOf(error: Error): string {
  const { name } = error;
  if (typeof name === 'string' && name && name !== 'Error') return name;
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
