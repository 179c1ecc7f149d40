import type { Attributes } from '@opentelemetry/api';
import type { ChatResponse, FinishReason } from '../chat/chat-response.ts';
import type { TokenUsage } from '../chat/token-usage.ts';
import { attribute } from './gen-ai.ts';

const finishReasons: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  length: 'length',
  toolExecution: 'tool_call',
  contentFilter: 'content_filter',
  other: 'other',
};

export const finishReasonOf = (reason: FinishReason): string => finishReasons[reason] ?? String(reason);

/** What an answer says of itself. Absent stays absent. */
export function responseAttributes({ id, modelName, finishReason, tokenUsage = {} }: ChatResponse, provider: string): Attributes {
  const usage = inclusive(tokenUsage, provider);
  return {
    [attribute.responseId]: id,
    [attribute.responseModel]: modelName,
    [attribute.finishReasons]: finishReason && [finishReasonOf(finishReason)],
    [attribute.usageInputTokens]: usage.inputTokens,
    [attribute.usageOutputTokens]: usage.outputTokens,
    [attribute.usageCacheReadTokens]: usage.cachedInputTokens,
    [attribute.usageCacheWriteTokens]: usage.cacheCreationInputTokens,
    [attribute.usageReasoningTokens]: usage.reasoningTokens,
  };
}

/** The conventions count cached tokens among the input tokens; Anthropic counts them beside. */
export function inclusive(usage: TokenUsage, provider: string): TokenUsage {
  const { inputTokens, cachedInputTokens = 0, cacheCreationInputTokens = 0 } = usage;
  if (provider !== 'anthropic' || inputTokens === undefined) return usage;
  return { ...usage, inputTokens: inputTokens + cachedInputTokens + cacheCreationInputTokens };
}
