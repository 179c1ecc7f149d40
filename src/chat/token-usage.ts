/** Tokens as the provider counted them. A count that the provider did not tell is absent, never 0. */
export interface TokenUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly totalTokens?: number;
  readonly cachedInputTokens?: number;
  readonly cacheCreationInputTokens?: number;
  readonly reasoningTokens?: number;
}

/** The sum of two usages; what neither knows stays absent. */
export function addTokenUsage(one: TokenUsage | undefined, other: TokenUsage | undefined): TokenUsage | undefined {
  if (!one || !other) return one ?? other;
  const sum: Record<string, number> = {};
  for (const usage of [one, other]) {
    for (const [count, tokens] of Object.entries(usage)) {
      if (typeof tokens === 'number') sum[count] = (sum[count] ?? 0) + tokens;
    }
  }
  return sum;
}
