import type { TokenUsage } from '../../chat/token-usage.ts';
import type { Usage } from './chunk.ts';
import type { ResponsesUsage } from './responses-event.ts';

type Counts = Readonly<Record<keyof TokenUsage, unknown>>;

/** The counts that the chat-completions wire tells; what it does not tell stays absent. */
export function tokenUsage(usage: Usage): TokenUsage | undefined {
  return toldOf({
    inputTokens: usage.prompt_tokens,
    outputTokens: usage.completion_tokens,
    totalTokens: usage.total_tokens,
    cachedInputTokens: usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens,
    cacheCreationInputTokens: undefined,
    reasoningTokens: usage.completion_tokens_details?.reasoning_tokens,
  });
}

/** The same in the words of the Responses API. */
export function responsesTokenUsage(usage: ResponsesUsage): TokenUsage | undefined {
  return toldOf({
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    totalTokens: usage.total_tokens,
    cachedInputTokens: usage.input_tokens_details?.cached_tokens,
    cacheCreationInputTokens: usage.input_tokens_details?.cache_write_tokens,
    reasoningTokens: usage.output_tokens_details?.reasoning_tokens,
  });
}

function toldOf(counts: Counts): TokenUsage | undefined {
  const told = Object.entries(counts).filter(([, count]) => typeof count === 'number');
  return told.length > 0 ? Object.fromEntries(told) : undefined;
}
