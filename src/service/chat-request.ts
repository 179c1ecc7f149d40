import type { ChatRequest, ToolChoice } from '../chat/chat-request.ts';
import type { ChatMessage } from '../chat/message.ts';
import type { Run } from './run.ts';

/** The request of a round: the history, the tools, and what the caller asked for. */
export function chatRequestOf({ settings, chatRequest, gathered }: Run, messages: readonly ChatMessage[]): ChatRequest {
  const { toolSpecifications } = settings;
  const hasTools = toolSpecifications.length > 0;
  return {
    ...chatRequest,
    messages,
    ...(hasTools && { toolSpecifications }),
    ...(hasTools && gathered.toolExecutions.length > 0 && { toolChoice: laterToolChoice(chatRequest.toolChoice) }),
  };
}

/** A choice that forces a tool is for the first request: forced again, the model could never answer. */
function laterToolChoice(choice: ToolChoice | undefined): ToolChoice {
  // Said, not left out: the model's own default may force one too.
  return choice === 'none' ? 'none' : 'auto';
}
