import { invalidOption } from '../chat/option-checks.ts';
import type { Value } from '../chat/value.ts';
import type { ToolErrorContext } from './tool-error-context.ts';
import { quietly } from './quietly.ts';
import { messageOf } from './tool-errors.ts';
import { visibleMessage } from './visible-to-llm.ts';

/** Decides on a failed call: the text that it returns goes to the model; what it throws fails the invocation. */
export type ToolErrorHandler = (error: Error, context: ToolErrorContext) => Value<string>;

const failInvocation: ToolErrorHandler = (error) => {
  throw error;
};

/** What the model is told of an error that may be shown: the text made for it, else the error's own message. */
const messageForLlm: ToolErrorHandler = (error, context) => visibleMessage(error, context) ?? messageOf(error);

/** Ready-made handlers for arguments that can't be used. */
export const toolArgumentsErrorHandler = {
  failInvocation: (): ToolErrorHandler => failInvocation,
  sendExceptionMessageToLlm: (): ToolErrorHandler => (error) => messageOf(error),
} as const;

/** Ready-made handlers for tools that failed. */
export const toolExecutionErrorHandler = {
  failInvocation: (): ToolErrorHandler => failInvocation,

  failInvocationUnlessVisibleToLlm: (): ToolErrorHandler => (error, context) => {
    const message = visibleMessage(error, context);
    if (message === undefined) throw error;
    return message;
  },

  sendExceptionMessageToLlm: (): ToolErrorHandler => messageForLlm,

  /** Throws a `ConfigurationError` when the text is blank. */
  sendGenericMessageToLlmUnlessVisibleToLlm: (text: string): ToolErrorHandler => {
    if (typeof text !== 'string' || !text.trim()) {
      throw invalidOption('sendGenericMessageToLlmUnlessVisibleToLlm', 'text', text, 'the model needs a text that is not blank');
    }
    return (error, context) => {
      const message = visibleMessage(error, context);
      // The model won't see it, so somebody else must.
      if (message === undefined)
        quietly(() => context.logger.warn(`Tool ${context.request.name} failed; the model is told: ${text}`, error));
      return message ?? text;
    };
  },
} as const;

/** The legacy default: the message goes to the model, and every failure is logged with its cause. */
export const sendExceptionMessageToLlmAndWarn: ToolErrorHandler = (error, context) => {
  quietly(() => context.logger.warn(`Tool ${context.request.name} failed; the model is told.`, error));
  return messageForLlm(error, context);
};
