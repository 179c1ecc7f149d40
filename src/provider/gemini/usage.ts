import type { TokenUsage } from '../../chat/token-usage.ts';
import type { Usage } from './chunk.ts';

/** The counts that the wire tells, which are of the turn so far; what it does not tell stays absent. */
export function tokenUsage(usage: Usage): TokenUsage | undefined {
  const counts: Record<keyof TokenUsage, unknown> = {
    inputTokens: usage.promptTokenCount,
    outputTokens: sum(usage.candidatesTokenCount, usage.thoughtsTokenCount),
    totalTokens: usage.totalTokenCount,
    cachedInputTokens: usage.cachedContentTokenCount,
    cacheCreationInputTokens: undefined,
    reasoningTokens: usage.thoughtsTokenCount,
  };
  const told = Object.entries(counts).filter(([, count]) => typeof count === 'number');
  return told.length > 0 ? Object.fromEntries(told) : undefined;
}

/** The answer's tokens do not hold those of its thoughts. */
function sum(answer: unknown, thoughts: unknown): number | undefined {
  if (typeof answer !== 'number') return typeof thoughts === 'number' ? thoughts : undefined;
  return typeof thoughts === 'number' ? answer + thoughts : answer;
}
