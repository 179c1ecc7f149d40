import type { ChatResponse } from '../chat/chat-response.ts';

/** The answer, where the time was up and what was shown of it can't be taken back. */
export const cutAnswer = (text: string): ChatResponse => ({
  aiMessage: { role: 'assistant', text, toolExecutionRequests: [] },
  finishReason: 'length',
});

/** What the model calls although it was told not to is not run, and must not stand in the history unanswered. */
export function withoutCalls(response: ChatResponse): ChatResponse {
  const { aiMessage, finishReason } = response;
  if (aiMessage.toolExecutionRequests.length === 0) return response;
  const { role, text, thinking } = aiMessage;
  return {
    ...response,
    // Without what the provider needs back of the calls.
    aiMessage: { role, text, ...(thinking !== undefined && { thinking }), toolExecutionRequests: [] },
    ...(finishReason && { finishReason: finishReason === 'toolExecution' ? 'other' : finishReason }),
  };
}
