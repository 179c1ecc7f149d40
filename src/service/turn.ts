import { isCut } from '../chat/is-cut.ts';
import type { ChatRequest } from '../chat/chat-request.ts';
import type { ChatResponse } from '../chat/chat-response.ts';
import type { AiMessage, ChatMessage } from '../chat/message.ts';
import type { CompensationReason } from '../tool/types.ts';
import { resultMessage, type Call } from './call.ts';
import type { Gathered, Run } from './run.ts';

/** One answer of the model with its calls: what a round has in its hands when it ends, by whatever end. */
export interface Turn {
  readonly request: ChatRequest;
  /** Absent while the model streams, and when it failed. */
  readonly response: ChatResponse | undefined;
  /** The complete calls, in request order. */
  readonly calls: readonly Call[];
  /** What the provider needs back of a turn that got no further than its calls. */
  readonly attributes: Readonly<Record<string, unknown>> | undefined;
  readonly modelError: { readonly error: Error } | undefined;
  /** What is to blame for the error. */
  readonly failedBy: CompensationReason;
}

/** The turn's answer as it goes into the history: with the complete calls, under ids that are unique there. */
export function aiMessageOf({ response, calls, attributes }: Turn, { text, thinking }: Gathered): AiMessage {
  // Copies: whoever keeps the message keeps nothing of what belongs to the call.
  const toolExecutionRequests = calls.map(({ request }) => ({ ...request }));
  if (response) return { ...response.aiMessage, role: 'assistant', text: response.aiMessage.text ?? null, toolExecutionRequests };
  return {
    role: 'assistant',
    text: text || null,
    ...(thinking && { thinking }),
    toolExecutionRequests,
    ...(attributes && { attributes }),
  };
}

/** The messages of the turn that belong together: the answer and the results of all its calls. */
export function unitOf(turn: Turn, { gathered, policy, settings }: Run): readonly ChatMessage[] {
  const isJudged = policy.holdsText && isCut(turn.response?.finishReason);
  // The text of a turn that is the last is an answer, and comes when the guardrails have let it pass.
  const message = { ...aiMessageOf(turn, gathered), ...(isJudged && { text: null }) };
  // What was cut off while it said nothing but text is no part of the conversation.
  const isEmpty = turn.calls.length === 0 && (!message.text || !turn.response);
  return isEmpty ? [] : [message, ...turn.calls.map((call) => resultMessage(call, settings.maxToolResultLength))];
}
