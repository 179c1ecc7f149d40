import type { AgUiEvent } from './ag-ui-event.ts';
import type { AgUiMessage, AgUiToolCall } from './ag-ui-message.ts';

/** The messages that a client has by now: those from before the run, and what the run's events made of them. */
export interface Transcript {
  add(event: AgUiEvent): void;
  /** How long it is, for `cut`. */
  length(): number;
  /** Forgets what came behind a place. */
  cut(length: number): void;
  /** Replaces the text of a call's arguments. */
  correct(toolCallId: string, text: string): void;
  messages(): readonly AgUiMessage[];
}

type TextMessage = Extract<AgUiMessage, { readonly role: 'assistant' }>;

export function transcript(before: readonly AgUiMessage[]): Transcript {
  const messages: AgUiMessage[] = [...before];
  const change = (index: number, changed: (message: AgUiMessage) => AgUiMessage) => {
    if (index >= 0) messages[index] = changed(messages[index]!);
  };
  const withId = (id: string) => messages.findLastIndex((message) => message.id === id);
  const withCall = (id: string) =>
    messages.findLastIndex((message) => message.role === 'assistant' && message.toolCalls?.some((call) => call.id === id));
  const changeCall = (id: string, text: (before: string) => string) =>
    change(withCall(id), (message) => ({
      ...(message as Extract<AgUiMessage, { role: 'assistant' }>),
      toolCalls: (message as { toolCalls: readonly AgUiToolCall[] }).toolCalls.map((call) =>
        call.id === id ? { ...call, function: { ...call.function, arguments: text(call.function.arguments) } } : call,
      ),
    }));

  return {
    add(event) {
      switch (event.type) {
        case 'TEXT_MESSAGE_START':
        case 'REASONING_MESSAGE_START':
          if (withId(event.messageId) < 0) messages.push({ id: event.messageId, role: event.role, content: '' });
          break;
        case 'TEXT_MESSAGE_CONTENT':
        case 'REASONING_MESSAGE_CONTENT':
          change(withId(event.messageId), (message) => ({
            ...(message as TextMessage),
            content: `${(message as TextMessage).content ?? ''}${event.delta}`,
          }));
          break;
        case 'TOOL_CALL_START': {
          const { toolCallId: id, toolCallName: name, parentMessageId } = event;
          if (withId(parentMessageId) < 0) messages.push({ id: parentMessageId, role: 'assistant' });
          change(withId(parentMessageId), (message) => {
            const owner = message as Extract<AgUiMessage, { role: 'assistant' }>;
            const call: AgUiToolCall = { id, type: 'function', function: { name, arguments: '' } };
            return { ...owner, toolCalls: [...(owner.toolCalls ?? []), call] };
          });
          break;
        }
        case 'TOOL_CALL_ARGS':
          changeCall(event.toolCallId, (text) => text + event.delta);
          break;
        case 'TOOL_CALL_RESULT': {
          const { messageId: id, toolCallId, content, metadata } = event;
          messages.push({ id, role: 'tool', toolCallId, content, ...(metadata && { metadata }) });
        }
      }
    },
    length: () => messages.length,
    cut: (length) => void messages.splice(length),
    correct: (id, text) => changeCall(id, () => text),
    messages: () => [...messages],
  };
}
