import type { FinishReason } from '../../chat/chat-response.ts';

/** What a finish word means. `error` is no finish: the turn has failed. */
export type FinishMeaning = FinishReason | 'error';

/** The words of OpenAI and of the servers that speak like it. */
const meanings: Readonly<Record<string, FinishMeaning>> = {
  stop: 'stop',
  end_turn: 'stop',
  eos: 'stop',
  tool_calls: 'toolExecution',
  tool_use: 'toolExecution',
  function_call: 'toolExecution',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  content_filter: 'contentFilter',
  error: 'error',
  abort: 'error',
  insufficient_system_resource: 'error',
};

export function finishMeaning(word: string): FinishMeaning {
  // Gateways that could not read the model's own call say so here: `function_call_filter: MALFORMED_FUNCTION_CALL`.
  if (/malformed_function_call|function_call_filter/i.test(word)) return 'error';
  const known = word.toLowerCase();
  return Object.hasOwn(meanings, known) ? meanings[known]! : 'other';
}
