import type { AiMessage, ChatMessage, ToolExecutionRequest, ToolExecutionResultMessage } from '../chat/message.ts';

/** What the model is told of a call whose result was never written: neutral, so that no text of an error leaks. */
export const didNotComplete = 'Tool execution did not complete.';

export function unansweredResult({ id, name }: ToolExecutionRequest): ToolExecutionResultMessage {
  return { role: 'tool', id, toolName: name, contents: [{ type: 'text', text: didNotComplete }], isError: true };
}

/**
 * Makes a valid conversation of what a store returned: every call gets its results right behind it, in the order of the
 * calls; results without a call and empty answers are left out. A valid history comes back message by message the same.
 */
export function repairHistory(messages: readonly ChatMessage[]): ChatMessage[] {
  const repaired: ChatMessage[] = [];
  messages.forEach((message, index) => {
    if (message.role === 'tool') return;
    const isAnswer = message.role === 'assistant';
    const hasCalls = isAnswer && message.toolExecutionRequests.length > 0;
    if (isAnswer && !hasCalls && !message.text) return;
    repaired.push(message);
    if (hasCalls) repaired.push(...resultsOf(message, resultsBehind(messages, index)));
  });
  return repaired;
}

/** The results up to the next answer of the model: where a process died, other messages may lie between. */
function resultsBehind(messages: readonly ChatMessage[], index: number): ToolExecutionResultMessage[] {
  const results: ToolExecutionResultMessage[] = [];
  for (let place = index + 1; place < messages.length; place++) {
    const message = messages[place]!;
    if (message.role === 'assistant') break;
    if (message.role === 'tool') results.push(message);
  }
  return results;
}

function resultsOf(message: AiMessage, results: ToolExecutionResultMessage[]): ToolExecutionResultMessage[] {
  return message.toolExecutionRequests.map((request) => {
    const place = results.findIndex(({ id }) => id === request.id);
    // Taken out, not looked up: two calls with one id have two results.
    return results.splice(place < 0 ? results.length : place, 1)[0] ?? unansweredResult(request);
  });
}
