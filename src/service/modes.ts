import {
  sendExceptionMessageToLlmAndWarn,
  toolArgumentsErrorHandler,
  toolExecutionErrorHandler,
  type ToolErrorHandler,
} from '../tool/error-handlers.ts';

/** What holds where the service's options say nothing. */
export interface ModeDefaults {
  readonly toolArgumentsErrorHandler: ToolErrorHandler;
  readonly toolExecutionErrorHandler: ToolErrorHandler;
  /** How many tools of a round may run at once. */
  readonly toolConcurrency: number;
}

/** The one table of what differs between the ways to call a service. */
export const modes = {
  /** `stream`, `text`, `result` and `start`. */
  reactive: {
    toolArgumentsErrorHandler: toolArgumentsErrorHandler.sendExceptionMessageToLlm(),
    toolExecutionErrorHandler: toolExecutionErrorHandler.failInvocationUnlessVisibleToLlm(),
    toolConcurrency: Infinity,
  },
  /** The defaults of services that call back instead of streaming. */
  legacy: {
    toolArgumentsErrorHandler: toolArgumentsErrorHandler.failInvocation(),
    toolExecutionErrorHandler: sendExceptionMessageToLlmAndWarn,
    toolConcurrency: 1,
  },
} as const satisfies Record<string, ModeDefaults>;
