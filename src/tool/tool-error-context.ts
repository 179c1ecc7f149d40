import type { ToolExecutionRequest } from '../chat/message.ts';
import type { InvocationContext, InvocationParameters } from './invocation-context.ts';
import type { Logger } from './types.ts';

/** What a handler is told about the call that failed. */
export interface ToolErrorContext {
  /** The error as it was thrown, our own wrapper round it included. */
  readonly rawError: unknown;
  readonly request: ToolExecutionRequest;
  readonly invocation: InvocationContext;
  readonly memoryId?: unknown;
  readonly parameters: InvocationParameters;
  readonly logger: Logger;
}
