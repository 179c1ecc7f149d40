import type { FinishReason } from '../../chat/chat-response.ts';

/** What a finish word means. `failure` is no finish: the turn has failed; a `lastingFailure` would come again. */
export type FinishMeaning = FinishReason | 'failure' | 'lastingFailure';

const meanings: Readonly<Record<string, FinishMeaning>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'contentFilter',
  RECITATION: 'contentFilter',
  LANGUAGE: 'contentFilter',
  BLOCKLIST: 'contentFilter',
  PROHIBITED_CONTENT: 'contentFilter',
  SPII: 'contentFilter',
  MODEL_ARMOR: 'contentFilter',
  IMAGE_SAFETY: 'contentFilter',
  IMAGE_PROHIBITED_CONTENT: 'contentFilter',
  IMAGE_RECITATION: 'contentFilter',
  // The server could not read what the model wrote.
  MALFORMED_FUNCTION_CALL: 'failure',
  MALFORMED_RESPONSE: 'failure',
  UNEXPECTED_TOOL_CALL: 'failure',
  TOO_MANY_TOOL_CALLS: 'failure',
  // The history lacks what the model wants back.
  MISSING_THOUGHT_SIGNATURE: 'lastingFailure',
};

/** `OTHER`, `NO_IMAGE`, and words that are not known yet: the turn is over. */
export function finishMeaning(word: string): FinishMeaning {
  return Object.hasOwn(meanings, word) ? meanings[word]! : 'other';
}

export function isFailure(meaning: FinishMeaning | undefined): meaning is 'failure' | 'lastingFailure' {
  return meaning === 'failure' || meaning === 'lastingFailure';
}
