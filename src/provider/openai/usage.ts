import type { TokenUsage } from '../../chat/token-usage.ts';
import type { Usage } from './chunk.ts';
import type { ResponsesUsage } from './responses-event.ts';

type Counts = Partial<Record<keyof TokenUsage, unknown>>;

/** The counts that the chat-completions wire tells. */
export function chatCounts(usage: Usage): Counts {
  return {
    inputTokens: usage.prompt_tokens,
    outputTokens: usage.completion_tokens,
    totalTokens: usage.total_tokens,
    cachedInputTokens: usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens,
    reasoningTokens: usage.completion_tokens_details?.reasoning_tokens,
  };
}

/** The same in the words of the Responses API. */
export function responsesCounts(usage: ResponsesUsage): Counts {
  return {
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    totalTokens: usage.total_tokens,
    cachedInputTokens: usage.input_tokens_details?.cached_tokens,
    cacheCreationInputTokens: usage.input_tokens_details?.cache_write_tokens,
    reasoningTokens: usage.output_tokens_details?.reasoning_tokens,
  };
}
