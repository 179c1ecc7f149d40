import type { ChatMessage, UserMessage } from '../chat/message.ts';
import type { Value } from '../chat/value.ts';
import type { InvocationContext } from './invocation-context.ts';
import type { Tool } from './types.ts';

export interface ToolProviderRequest {
  /** As the model gets it; how the user wrote it is `invocation.originalUserMessage`. */
  readonly userMessage: UserMessage;
  /** The conversation so far, with the user's message. */
  readonly messages: readonly ChatMessage[];
  readonly invocation: InvocationContext;
}

/** Decides for each invocation which tools there are. */
export interface ToolProvider {
  /** `null` and `undefined` stand for no tools. */
  provideTools(request: ToolProviderRequest): Value<readonly Tool[] | null | undefined>;
  /** Asked again before each request to the model, and not once per invocation. */
  readonly isDynamic?: boolean;
}
