import type { ChatRequest, Reasoning, ResponseFormat } from '../../chat/chat-request.ts';
import { notTaken } from '../request-error.ts';
import { geminiAnswer } from '../schema/gemini-declaration.ts';
import { geminiApi } from './gemini-api.ts';
import type { Generation } from './generation.ts';

type Json = Readonly<Record<string, unknown>>;

/** The settings of a request that the API keeps together. `format`: the form of the answer, unless it is asked for in words. */
export function generationConfig(
  request: ChatRequest,
  generation: Generation,
  format: ResponseFormat | undefined,
): Json | undefined {
  const config: Json = {
    temperature: request.temperature,
    topP: request.topP,
    topK: request.topK,
    maxOutputTokens: request.maxOutputTokens,
    stopSequences: request.stopSequences,
    frequencyPenalty: request.frequencyPenalty,
    presencePenalty: request.presencePenalty,
    seed: request.seed,
    thinkingConfig: request.reasoning && thinkingConfig(request.reasoning, generation),
    ...(format && responseFormat(format)),
  };
  return Object.values(config).some((value) => value !== undefined) ? config : undefined;
}

function thinkingConfig({ effort, budget }: Reasoning, generation: Generation): Json {
  if (effort !== undefined && budget !== undefined)
    throw notTaken(geminiApi, 'reasoning.effort beside reasoning.budget', 'set one of them');
  // Thoughts that there are none of can't be asked for.
  if (budget === 0) return { thinkingBudget: 0 };
  return {
    ...(effort !== 'none' && { includeThoughts: true }),
    ...(budget !== undefined && { thinkingBudget: budget }),
    ...(effort !== undefined && generation.thinking[effort]),
  };
}

function responseFormat(format: ResponseFormat): Json {
  if (format.type === 'text') return { responseMimeType: 'text/plain' };
  return { responseMimeType: 'application/json', ...(format.schema && geminiAnswer(format.schema)) };
}
