import type { ChatMessage } from '../../src/chat/message.ts';
import { conversationViolations, type Step } from './conversation-rules.ts';

/** What is wrong with a history that a memory holds. */
export function historyViolations(messages: readonly ChatMessage[]): readonly string[] {
  const violations = [...conversationViolations(messages.map(stepOf), { isRequest: false })];
  if (messages.slice(1).some(({ role }) => role === 'system')) violations.push('a system message stands behind others');
  messages.forEach((message, place) => {
    if (message.role !== 'assistant') return;
    const ids = message.toolExecutionRequests.map(({ id }) => id);
    const behind = messages.slice(place + 1, place + 1 + ids.length).map((result) => (result.role === 'tool' ? result.id : ''));
    if (ids.join() !== behind.join()) violations.push(`the results of message ${place} are not in the order of its calls`);
    if (ids.includes('')) violations.push(`a call of message ${place} has no id`);
  });
  return violations;
}

function stepOf(message: ChatMessage): Step {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, speaks: true };
    case 'assistant':
      return { role: 'assistant', calls: message.toolExecutionRequests.map(({ id }) => id), speaks: Boolean(message.text) };
    case 'tool':
      return { role: 'user', results: [message.id], speaks: false };
  }
}
