import type { ChatResponse } from '../chat/chat-response.ts';
import { addTokenUsage, type TokenUsage } from '../chat/token-usage.ts';
import type { AgUiTokenUsage } from './ag-ui-event.ts';

/** Counts the tokens of a run, model by model. */
export interface UsageTally {
  /** A round that asked for tools. */
  addRound(response: ChatResponse): void;
  /** The last response, whose usage is that of all rounds. */
  addFinal(response: ChatResponse): void;
  /** What has been counted since it was asked last: a run that goes on after an interrupt tells of its own requests only. */
  take(): { readonly usage?: readonly AgUiTokenUsage[] };
}

export function usageTally(): UsageTally {
  /** Of this run. */
  const byModel = new Map<string | undefined, TokenUsage>();
  /** Of all rounds so far, those of earlier runs too. */
  let told: TokenUsage | undefined;
  const add = (model: string | undefined, usage: TokenUsage) => {
    byModel.set(model, addTokenUsage(byModel.get(model), usage)!);
  };
  return {
    addRound({ modelName, tokenUsage }) {
      told = addTokenUsage(told, tokenUsage);
      if (tokenUsage) add(modelName, tokenUsage);
    },
    addFinal({ modelName, tokenUsage }) {
      const rest = tokenUsage && difference(tokenUsage, told);
      if (rest) add(modelName, rest);
    },
    take() {
      const usage = [...byModel].map(([model, counted]) => entryOf(model, counted));
      byModel.clear();
      return usage.length > 0 ? { usage } : {};
    },
  };
}

/** What is left of a sum; nothing where nothing is. */
function difference(sum: TokenUsage, part: TokenUsage = {}): TokenUsage | undefined {
  const counts = Object.entries(sum).flatMap(([name, tokens]: [string, unknown]) => {
    if (typeof tokens !== 'number') return [];
    const before = part[name as keyof TokenUsage];
    const left = tokens - (before ?? 0);
    return left > 0 || (left === 0 && before === undefined) ? [[name, left] as const] : [];
  });
  return counts.length > 0 ? Object.fromEntries(counts) : undefined;
}

/**
 * Some providers count the tokens of their cache beside the input, others among it: the total says which. The protocol has them
 * among it, and as its total the sum of input and output.
 */
function entryOf(model: string | undefined, usage: TokenUsage): AgUiTokenUsage {
  const { inputTokens, outputTokens, totalTokens, cachedInputTokens, cacheCreationInputTokens, reasoningTokens } = usage;
  const cache = (cachedInputTokens ?? 0) + (cacheCreationInputTokens ?? 0);
  const isBeside = totalTokens !== undefined && totalTokens === (inputTokens ?? 0) + (outputTokens ?? 0) + cache;
  const input = inputTokens === undefined || !isBeside ? inputTokens : inputTokens + cache;
  const total = input === undefined || outputTokens === undefined ? totalTokens : input + outputTokens;
  const counts = {
    inputTokens: input,
    outputTokens,
    totalTokens: total,
    reasoningTokens,
    cachedInputTokens,
    cacheWriteInputTokens: cacheCreationInputTokens,
  };
  const known = Object.entries(counts).filter(([, tokens]) => Number.isSafeInteger(tokens));
  return { ...(model !== undefined && { model }), ...Object.fromEntries(known) };
}
