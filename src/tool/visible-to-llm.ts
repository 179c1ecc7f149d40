import { invalidOption } from '../chat/option-checks.ts';
import { quietly } from './quietly.ts';
import type { ToolErrorContext } from './tool-error-context.ts';

/** A marker that any error may carry: what the model is told instead of the error's own message. */
export interface ToolErrorVisibleToLlm {
  messageForLlm(): string;
}

class VisibleToLlmError extends Error implements ToolErrorVisibleToLlm {
  override readonly name = 'ToolErrorVisibleToLlm';

  messageForLlm(): string {
    return this.message;
  }
}

/**
 * An error to throw from a tool: `message` goes to the model, the cause stays with you.
 *
 * Throws a `ConfigurationError` when the message is blank.
 *
 * @example
 * throw toolErrorVisibleToLlm('There is no order with this number. Ask the user to check it.', { cause: error });
 */
export function toolErrorVisibleToLlm(message: string, options?: { cause?: unknown }): Error & ToolErrorVisibleToLlm {
  if (typeof message !== 'string' || !message.trim()) {
    throw invalidOption('toolErrorVisibleToLlm', 'message', message, 'the model needs a text that is not blank');
  }
  return new VisibleToLlmError(message, options);
}

/**
 * What the model may be told of this error, or `undefined` when it is not marked as visible.
 *
 * The marker is looked for on the error and on `context.rawError`, never further down: an error that wraps a marked one
 * has the last word. A blank text counts as unmarked, with a warning.
 */
export function visibleMessage(error: Error, context: ToolErrorContext): string | undefined {
  const marked = [error, context.rawError].find(isMarked);
  if (!marked) return undefined;
  const message: unknown = marked.messageForLlm();
  if (typeof message === 'string' && message.trim()) return message;
  const what = `tool ${context.request.name}: messageForLlm() of ${error.name} is blank, so the error is not visible to the LLM.`;
  quietly(() => context.logger.warn(what));
  return undefined;
}

function isMarked(thrown: unknown): thrown is ToolErrorVisibleToLlm {
  return typeof (thrown as ToolErrorVisibleToLlm | null | undefined)?.messageForLlm === 'function';
}
