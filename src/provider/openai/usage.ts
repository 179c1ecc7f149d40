import type { TokenUsage } from '../../chat/token-usage.ts';
import type { Usage } from './chunk.ts';

/** The counts that the wire tells; what it does not tell stays absent. */
export function tokenUsage(usage: Usage): TokenUsage | undefined {
  const counts: Record<keyof TokenUsage, unknown> = {
    inputTokens: usage.prompt_tokens,
    outputTokens: usage.completion_tokens,
    totalTokens: usage.total_tokens,
    cachedInputTokens: usage.prompt_tokens_details?.cached_tokens,
    cacheCreationInputTokens: undefined,
    reasoningTokens: usage.completion_tokens_details?.reasoning_tokens,
  };
  const told = Object.entries(counts).filter(([, count]) => typeof count === 'number');
  return told.length > 0 ? Object.fromEntries(told) : undefined;
}
