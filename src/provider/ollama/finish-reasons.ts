import type { FinishReason } from '../../chat/chat-response.ts';

/** What a finish word means. `unanswered` is no finish: the model was not asked. */
export type FinishMeaning = FinishReason | 'unanswered';

/** The words of the done line. The last two come where a request has no message to answer. */
const meanings: Readonly<Record<string, FinishMeaning>> = {
  stop: 'stop',
  length: 'length',
  load: 'unanswered',
  unload: 'unanswered',
};

export function finishMeaning(word: string): FinishMeaning {
  return Object.hasOwn(meanings, word) ? meanings[word]! : 'other';
}
