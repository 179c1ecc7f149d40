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
  /** Whether whoever listens can be told to drop text that has gone out. */
  readonly retractsText: boolean;
}

const reactive: ModeDefaults = {
  toolArgumentsErrorHandler: toolArgumentsErrorHandler.sendExceptionMessageToLlm(),
  toolExecutionErrorHandler: toolExecutionErrorHandler.failInvocationUnlessVisibleToLlm(),
  toolConcurrency: Infinity,
  retractsText: true,
};

/** The one table of what differs between the ways to call a service. */
export const modes = {
  /** `stream`, `result`, `partial` and `start`. */
  reactive,
  /** `text`: what was shown can't be taken back. */
  text: { ...reactive, retractsText: false },
  /** `tokenStream`: the defaults of services that call back instead of streaming. */
  legacy: {
    toolArgumentsErrorHandler: toolArgumentsErrorHandler.failInvocation(),
    toolExecutionErrorHandler: sendExceptionMessageToLlmAndWarn,
    toolConcurrency: 1,
    retractsText: false,
  },
} as const satisfies Record<string, ModeDefaults>;
