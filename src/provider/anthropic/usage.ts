import type { TokenUsage } from '../../chat/token-usage.ts';
import type { Usage } from './event.ts';

/**
 * Puts the counts of one turn together: the message's start tells some, and each later event tells some anew. The API's
 * input tokens leave out those that went into the cache or came from it, so that the total is the sum of all.
 */
export function usageCounter(): (usage: Usage) => TokenUsage {
  const counts: Record<string, number> = {};
  return (usage) => {
    for (const [count, tokens] of Object.entries(told(usage))) if (typeof tokens === 'number') counts[count] = tokens;
    return { ...counts, ...total(counts) };
  };
}

function told(usage: Usage): Readonly<Record<keyof Omit<TokenUsage, 'totalTokens'>, unknown>> {
  return {
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    cachedInputTokens: usage.cache_read_input_tokens,
    cacheCreationInputTokens: usage.cache_creation_input_tokens,
    reasoningTokens: usage.output_tokens_details?.thinking_tokens,
  };
}

function total(counts: TokenUsage): Pick<TokenUsage, 'totalTokens'> {
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheCreationInputTokens = 0 } = counts;
  if (inputTokens === undefined || outputTokens === undefined) return {};
  return { totalTokens: inputTokens + cachedInputTokens + cacheCreationInputTokens + outputTokens };
}
