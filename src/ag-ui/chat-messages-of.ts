import type { ChatMessage } from '../chat/message.ts';
import { repairHistory } from '../memory/repair-history.ts';
import type { AgUiMessage } from './ag-ui-message.ts';
import { contentsOf } from './contents-of.ts';

/**
 * The messages of a thread as a history that every provider takes: each call has its result, and a neutral one where there is
 * none. What was thought goes with the answer behind it; activities are for the screen alone.
 */
export function chatMessagesOf(messages: readonly AgUiMessage[]): readonly ChatMessage[] {
  const toolNames = new Map<string, string>();
  let thinking = '';
  const converted = messages.flatMap((message): readonly ChatMessage[] => {
    switch (message.role) {
      case 'developer':
      case 'system':
        return [{ role: 'system', text: message.content }];
      case 'user':
        return [{ role: 'user', contents: contentsOf(message.content) }];
      case 'reasoning':
        thinking += message.content;
        return [];
      case 'assistant': {
        const requests = (message.toolCalls ?? []).map(({ id, function: { name, arguments: written } }) => {
          toolNames.set(id, name);
          return { id, name, arguments: written };
        });
        const thought = thinking;
        thinking = '';
        return [
          {
            role: 'assistant',
            text: message.content || null,
            ...(thought && { thinking: thought }),
            toolExecutionRequests: requests,
          },
        ];
      }
      case 'tool': {
        const { toolCallId: id, error, metadata } = message;
        const isError = error !== undefined || metadata?.['isError'] === true;
        return [{ role: 'tool', id, toolName: toolNames.get(id) ?? '', contents: contentsOf(message.content), isError }];
      }
      case 'activity':
        return [];
    }
  });
  return repairHistory(converted);
}
