import type { ChatMessage, UserMessage } from '../chat/message.ts';
import { answerMessages } from './answer-messages.ts';
import { userMessageOf } from './user-message-of.ts';
import { checkedUiMessages, type PostedMessage } from './posted-messages.ts';

/** What the user has said to a call that needs an approval. */
export interface UiDecision {
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly approved: boolean;
  readonly reason?: string;
}

/** What a client of the AI SDK asks for. */
export interface PostedUiMessages {
  /** What was said before, by what the client says: it may have changed anything in it. */
  readonly messages: readonly ChatMessage[];
  /** The last message, where it is the user's; otherwise the answer before is to go on. */
  readonly userMessage?: UserMessage;
  /** Those in the last message, where it is an answer. */
  readonly decisions: readonly UiDecision[];
}

/**
 * Reads the messages that a client of the AI SDK posts (version 6): the history, always one that holds together, what the user says, and what
 * was decided on calls. Progress, sources and data parts are left out, and so are steps that were asked for again.
 *
 * Throws a `TypeError` that says where the value is not what was expected; a server answers with 400. A system message is none of the client's.
 *
 * @example
 * const { userMessage, decisions } = fromUiMessages((await request.json()).messages);
 */
export function fromUiMessages(messages: unknown): PostedUiMessages {
  const posted = checkedUiMessages(messages);
  const last = posted.at(-1)!;
  const path = `messages[${posted.length - 1}]`;
  if (last.role === 'user') {
    return { messages: historyOf(posted.slice(0, -1)), userMessage: userMessageOf(last, path), decisions: [] };
  }
  return { messages: historyOf(posted), decisions: decisionsOf(last) };
}

function historyOf(posted: readonly PostedMessage[]): readonly ChatMessage[] {
  return posted.flatMap((message, place): readonly ChatMessage[] =>
    message.role === 'user' ? [userMessageOf(message, `messages[${place}]`)] : answerMessages(message),
  );
}

function decisionsOf({ parts }: PostedMessage): readonly UiDecision[] {
  return parts.flatMap(({ state, approval, toolCallId }): readonly UiDecision[] => {
    if (state !== 'approval-responded' || !approval || approval.approved === undefined) return [];
    const { id: approvalId, approved, reason } = approval;
    return [{ approvalId, toolCallId: toolCallId!, approved, ...(reason !== undefined && { reason }) }];
  });
}
