import type { Content } from '../chat/content.ts';
import type { ChatResponse, FinishReason } from '../chat/chat-response.ts';
import type { TokenUsage } from '../chat/token-usage.ts';
import type { ToolExecution } from '../tool/types.ts';
import type { LimitName } from './limits.ts';

/** What an invocation came to. */
export interface Result<T> {
  readonly content: T | null;
  /** The last response, with the token usage of all rounds. */
  readonly finalResponse: ChatResponse;
  /** The responses that asked for tools. */
  readonly intermediateResponses: readonly ChatResponse[];
  /** All calls, by round and in request order. */
  readonly toolExecutions: readonly ToolExecution[];
  readonly tokenUsage?: TokenUsage;
  readonly finishReason?: FinishReason;
  /** The limit that was hit, after which the model was asked to answer without tools. */
  readonly limit?: LimitName;
  /** What retrieval found for the user's message. */
  readonly sources: readonly Content[];
}
