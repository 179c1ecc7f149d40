import type { UserMessage } from '../chat/message.ts';

/** A map that everything of one invocation shares: what the caller passed in, and what one tool leaves for another. */
export type InvocationParameters = Map<string, unknown>;

/** Which invocation this is: the same object on every event, tool and callback of it. */
export interface InvocationContext {
  readonly invocationId: string;
  readonly serviceName?: string;
  /** The message as the model gets it. */
  readonly userMessage: UserMessage;
  /** The message as the caller wrote it. */
  readonly originalUserMessage: UserMessage;
  readonly memoryId?: unknown;
  readonly parameters: InvocationParameters;
  /** When the invocation began, in ms since 1970 by the service's scheduler. */
  readonly timestamp: number;
}
