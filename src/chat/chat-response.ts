import type { AiMessage } from './message.ts';
import type { TokenUsage } from './token-usage.ts';

/** Why the model stopped. The calls decide on `toolExecution`, not the provider's word for it. */
export type FinishReason = 'stop' | 'length' | 'toolExecution' | 'contentFilter' | 'other';

/** One whole answer of a model. */
export interface ChatResponse {
  readonly aiMessage: AiMessage;
  readonly id?: string;
  readonly modelName?: string;
  readonly finishReason?: FinishReason;
  readonly tokenUsage?: TokenUsage;
}
