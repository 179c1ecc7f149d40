import type { ToolErrorVisibleToLlm } from './visible-to-llm.ts';

/** One thing that is wrong with a tool's arguments, as zod tells it. */
export interface ArgumentIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** The model's arguments can't be used; the message is written for the model. */
export class ToolArgumentsError extends Error {
  override readonly name: string = 'ToolArgumentsError';
  readonly issues: readonly ArgumentIssue[];

  constructor(message: string, options: { cause?: unknown; issues?: readonly ArgumentIssue[] } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.issues = options.issues ?? [];
  }
}

/** Our wrapper round what a tool threw; handlers are given the `cause`. */
export class ToolExecutionError extends Error {
  override readonly name: string = 'ToolExecutionError';
  /** Which tool it was, where it is known. */
  declare readonly toolName?: string;
}

/** A tool took longer than `toolTimeout`; the model is told. */
export class ToolTimeoutError extends Error implements ToolErrorVisibleToLlm {
  override readonly name = 'ToolTimeoutError';

  messageForLlm(): string {
    return this.message;
  }
}

/** The model called a tool that there is not. */
export class UnknownToolError extends Error {
  override readonly name = 'UnknownToolError';
}

// None of these may throw, whatever a user has thrown: a getter that fails, a proxy that was revoked.

export function isError(value: unknown): value is Error {
  return orElse(false, () => value instanceof Error || Object.prototype.toString.call(value) === '[object Error]');
}

/** By name as well as by class: a tool may have been made by another copy of this package, CommonJS beside ESM. */
const isNamed = (thrown: unknown, type: abstract new (...args: never[]) => Error, name: string): boolean =>
  orElse(false, () => thrown instanceof type || (isError(thrown) && thrown.name === name));

/** Whether the arguments, and not the tool, are to blame. */
export const isArgumentsError = (thrown: unknown): boolean => isNamed(thrown, ToolArgumentsError, 'ToolArgumentsError');

const isExecutionError = (thrown: unknown) => isNamed(thrown, ToolExecutionError, 'ToolExecutionError');

/** Says on our own error which tool it was. A user's own is passed on as it is. */
export function nameTool(thrown: unknown, toolName: string): void {
  if (isExecutionError(thrown)) orElse(false, () => Reflect.set(thrown as Error, 'toolName', toolName));
}

/** What was thrown, as an Error: itself where it is one. */
export function asError(thrown: unknown): Error {
  return isError(thrown) ? thrown : new ToolExecutionError(messageOf(thrown), { cause: thrown });
}

/** The message, or the error's name where the message is blank: never an empty text. */
export function messageOf(thrown: unknown): string {
  if (!isError(thrown)) return `The tool threw ${typeof thrown === 'string' ? thrown || 'an empty text' : describe(thrown)}`;
  const message = orElse<unknown>('', () => thrown.message);
  if (typeof message === 'string' && message.trim()) return message;
  return orElse('Error', () => thrown.name || thrown.constructor.name);
}

const describe = (thrown: unknown): string => orElse<string>(typeof thrown, () => String(thrown));

/**
 * The error for a handler and the one behind it. Only our own wrappers are taken off, and one level of them:
 * a user's error keeps its cause.
 */
export function unwrapped(thrown: unknown): { readonly error: Error; readonly rawError: unknown } {
  if (!isError(thrown)) return { error: asError(thrown), rawError: thrown };
  const isWrapper = isArgumentsError(thrown) || isExecutionError(thrown);
  if (!isWrapper || !('cause' in thrown)) return { error: thrown, rawError: thrown };
  return isError(thrown.cause) ? { error: thrown.cause, rawError: thrown } : { error: thrown, rawError: thrown.cause };
}

function orElse<T>(fallback: T, read: () => T): T {
  try {
    return read();
  } catch {
    return fallback;
  }
}
