import { textOf } from '../chat/content.ts';
import type { ChatMessage, ToolExecutionRequest } from '../chat/message.ts';

/**
 * A message in one line, for comparing histories: `user: Hello`, `assistant: Let me see. add({"a":1})`, `add: 2`, `add failed: no`.
 */
export function drawMessage(message: ChatMessage): string {
  switch (message.role) {
    case 'system':
      return `system: ${message.text}`;
    case 'user':
      return `user: ${textOf(message.contents)}`;
    case 'assistant':
      return `assistant: ${[message.text, ...message.toolExecutionRequests.map(drawCall)].filter(Boolean).join(' ')}`;
    case 'tool':
      return `${message.toolName}${message.isError ? ' failed' : ''}: ${textOf(message.contents)}`;
  }
}

function drawCall({ name, arguments: written }: ToolExecutionRequest): string {
  return `${name}(${written === '{}' ? '' : written})`;
}
