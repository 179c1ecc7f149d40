import { textOf, type Content } from '../../chat/content.ts';
import type { AiMessage, ChatMessage, ToolExecutionResultMessage } from '../../chat/message.ts';
import { withParts } from './with-parts.ts';
import type { UiAssistantMessage, UiMessage, UiPart, UiUserMessage } from './ui-message.ts';

/** A history as a page shows it: what came of one question is one message, the results stand in their calls. */
export function uiMessagesOf(history: readonly ChatMessage[]): readonly UiMessage[] {
  const shown: UiMessage[] = [];
  /** Changes the answer that is last, or begins one. */
  const inAnswer = (id: string, change: (parts: readonly UiPart[]) => readonly UiPart[]) => {
    const last = shown.at(-1);
    const answer: UiAssistantMessage =
      last?.role === 'assistant' ? last : { id, role: 'assistant', parts: [], text: '', status: 'done' };
    if (last === answer) shown.pop();
    shown.push(withParts(answer, change(answer.parts)));
  };
  history.forEach((message, place) => {
    const id = `history-${place}`;
    if (message.role === 'user') shown.push(userMessage(id, message.contents, 'sent'));
    if (message.role === 'assistant') inAnswer(id, (parts) => [...parts, ...partsOf(message, parts)]);
    if (message.role === 'tool') inAnswer(id, (parts) => withResult(parts, message));
  });
  return shown;
}

export function userMessage(id: string, contents: readonly Content[], status: UiUserMessage['status']): UiUserMessage {
  return { id, role: 'user', text: textOf(contents), contents, status };
}

function partsOf({ thinking, text, toolExecutionRequests }: AiMessage, before: readonly UiPart[]): readonly UiPart[] {
  const round = (before.at(-1)?.round ?? 0) + 1;
  return [
    ...(thinking ? [{ type: 'thinking' as const, round, text: thinking }] : []),
    ...(text ? [{ type: 'text' as const, round, text }] : []),
    ...toolExecutionRequests.map((request, index): UiPart => {
      // Without a result it never ended.
      return { type: 'toolCall', round, index, call: { ...request, status: 'stopped' } };
    }),
  ];
}

function withResult(parts: readonly UiPart[], { id, contents, isError }: ToolExecutionResultMessage): readonly UiPart[] {
  return parts.map((part) => {
    if (part.type !== 'toolCall' || part.call.id !== id) return part;
    const status = isError ? 'failed' : 'done';
    return { ...part, call: { ...part.call, status, result: textOf(contents), resultContents: contents } };
  });
}
