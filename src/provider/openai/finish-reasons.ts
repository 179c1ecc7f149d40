import type { FinishReason } from '../../chat/chat-response.ts';
import { isText } from '../wire-values.ts';

/** What a finish word means. `error` is no finish: the turn has failed. */
export type FinishMeaning = FinishReason | 'error';

/** The words of OpenAI and of the servers that speak like it, among them those that pass on a model's own word. */
const meanings: Readonly<Record<string, FinishMeaning>> = {
  stop: 'stop',
  end_turn: 'stop',
  eos: 'stop',
  eos_token: 'stop',
  stop_sequence: 'stop',
  complete: 'stop',
  tool_calls: 'toolExecution',
  tool_use: 'toolExecution',
  function_call: 'toolExecution',
  length: 'length',
  max_tokens: 'length',
  max_output_tokens: 'length',
  model_length: 'length',
  model_context_window_exceeded: 'length',
  sensitive: 'contentFilter',
  safety: 'contentFilter',
  recitation: 'contentFilter',
  prohibited_content: 'contentFilter',
  blocklist: 'contentFilter',
  spii: 'contentFilter',
  image_safety: 'contentFilter',
  guardrail_intervened: 'contentFilter',
  refusal: 'contentFilter',
  error: 'error',
  server_error: 'error',
  network_error: 'error',
  abort: 'error',
  aborted: 'error',
  cancelled: 'error',
  canceled: 'error',
  insufficient_system_resource: 'error',
  unexpected_tool_call: 'error',
  malformed_response: 'error',
};

/** Gateways that could not read the model's own call say so here: `function_call_filter: MALFORMED_FUNCTION_CALL`. */
const ownCall = /malformed_function_call|function_call_filter/;
/** Also with what was found: `content_filter: RECITATION`. */
const filtered = /^content.?filter/;

export function finishMeaning(word: string): FinishMeaning {
  const known = word.toLowerCase();
  if (Object.hasOwn(meanings, known)) return meanings[known]!;
  if (ownCall.test(known)) return 'error';
  return filtered.test(known) ? 'contentFilter' : 'other';
}

/** How the turn ended. `native`: the model's own word, where a gateway passes it on beside its own. */
export function finishOf(
  word: string,
  native: unknown,
  isSilent: boolean,
): { readonly meaning: FinishMeaning; readonly word: string } {
  const meaning = finishMeaning(word);
  if (!isText(native)) return { meaning, word };
  if (isBare(word)) return { meaning, word: native };
  const own = finishMeaning(native);
  // OpenRouter calls it a stop when a model's own call could not be read.
  const saysMore = meaning === 'stop' && isSilent && (own === 'error' || own === 'length' || own === 'contentFilter');
  return saysMore ? { meaning: own, word: native } : { meaning, word };
}

/** What an error says that is only a finish word. */
export function finishFailure(word: string): string {
  if (isBare(word)) return 'the provider ended the turn with an error and did not say which';
  const isOwnCall = ownCall.test(word.toLowerCase());
  return `the provider ${isOwnCall ? 'rejected its own function call' : 'ended the turn with an error'}: ${word}`;
}

function isBare(word: string): boolean {
  return word.toLowerCase() === 'error';
}
