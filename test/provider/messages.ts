import type { AiMessage, ChatMessage, ToolExecutionRequest } from '../../src/chat/message.ts';

export const user = (text: string): ChatMessage => ({ role: 'user', contents: [{ type: 'text', text }] });

export const assistant = (
  text: string | null,
  toolExecutionRequests: readonly ToolExecutionRequest[] = [],
  rest: Partial<AiMessage> = {},
): AiMessage => ({
  role: 'assistant',
  text,
  toolExecutionRequests,
  ...rest,
});

export const result = (id: string, toolName: string, text: string, isError = false): ChatMessage => ({
  role: 'tool',
  id,
  toolName,
  contents: [{ type: 'text', text }],
  isError,
});
