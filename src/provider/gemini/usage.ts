import type { TokenUsage } from '../../chat/token-usage.ts';
import type { Usage } from './chunk.ts';

/** The counts that the wire tells, which are of the turn so far. */
export function countsOf(usage: Usage): Partial<Record<keyof TokenUsage, unknown>> {
  return {
    inputTokens: usage.promptTokenCount,
    outputTokens: sum(usage.candidatesTokenCount, usage.thoughtsTokenCount),
    totalTokens: usage.totalTokenCount,
    cachedInputTokens: usage.cachedContentTokenCount,
    reasoningTokens: usage.thoughtsTokenCount,
  };
}

/** The answer's tokens do not hold those of its thoughts. */
function sum(answer: unknown, thoughts: unknown): unknown {
  if (typeof answer !== 'number') return thoughts;
  return typeof thoughts === 'number' ? answer + thoughts : answer;
}
