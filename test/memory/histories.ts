import fc from 'fast-check';
import type { AiMessage, ChatMessage, SystemMessage, ToolExecutionResultMessage, UserMessage } from '../../src/chat/message.ts';

export const system = (text: string): SystemMessage => ({ role: 'system', text });
export const user = (text: string): UserMessage => ({ role: 'user', contents: [{ type: 'text', text }] });
export const answer = (text: string): AiMessage => ({ role: 'assistant', text, toolExecutionRequests: [] });

/** An answer that calls tools, by the ids of its calls. */
export const calling = (...ids: string[]): AiMessage => ({
  role: 'assistant',
  text: null,
  toolExecutionRequests: ids.map((id) => ({ id, name: id.toLowerCase(), arguments: '{}' })),
});

export const result = (id: string, text = 'r'): ToolExecutionResultMessage => ({
  role: 'tool',
  id,
  toolName: id.toLowerCase(),
  contents: [{ type: 'text', text }],
  isError: false,
});

/** The calls and all their results. */
export const unit = (...ids: string[]): ChatMessage[] => [calling(...ids), ...ids.map((id) => result(id))];

/** One question with its tool rounds (by their number of calls) and its answer, under ids that are unique. */
const turn = fc.record({ rounds: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 }), isAnswered: fc.boolean() });

/** Any history that a provider accepts: questions, units of calls and results, answers. */
export const validHistory: fc.Arbitrary<ChatMessage[]> = fc.array(turn, { minLength: 1, maxLength: 6 }).map((turns) => {
  let next = 0;
  return turns.flatMap(({ rounds, isAnswered }, place) => [
    user(`question ${place}`),
    ...rounds.flatMap((calls) => unit(...Array.from({ length: calls }, () => `id${next++}`))),
    ...(isAnswered || rounds.length === 0 ? [answer(`answer ${place}`)] : []),
  ]);
});
