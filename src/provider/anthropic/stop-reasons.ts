import type { FinishReason } from '../../chat/chat-response.ts';

const meanings: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'toolExecution',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'contentFilter',
  // The server's own tools take long: the turn goes on when it is sent back as it is.
  pause_turn: 'other',
};

export function stopMeaning(word: string): FinishReason {
  return Object.hasOwn(meanings, word) ? meanings[word]! : 'other';
}
