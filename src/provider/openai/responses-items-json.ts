import type { Content, TextContent } from '../../chat/content.ts';
import type { ChatMessage, ToolExecutionResultMessage } from '../../chat/message.ts';
import { serialisedOnce } from '../serialised-once.ts';
import { responsesAnswerItems } from './responses-answer-items.ts';
import { callId } from './responses-call-id.ts';
import { responsesContent } from './responses-content.ts';

/**
 * A message as items of the Responses API, in JSON with a comma between them; empty for an answer without anything in it.
 * Throws a `ChatModelError` on content that the API does not take.
 */
export const responsesItemsJson = serialisedOnce((message: ChatMessage) => JSON.stringify(itemsOf(message)).slice(1, -1));

function itemsOf(message: ChatMessage): readonly unknown[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.text }];
    case 'user':
      return [{ role: 'user', content: userContent(message.contents) }];
    case 'assistant':
      return responsesAnswerItems(message);
    case 'tool':
      return [{ type: 'function_call_output', call_id: callId(message.id), output: toolOutput(message) }];
  }
}

function userContent(contents: readonly Content[]): unknown {
  const [first, ...more] = contents;
  return first?.type === 'text' && more.length === 0 ? first.text : contents.map((content) => responsesContent(content));
}

function toolOutput({ contents, toolName }: ToolExecutionResultMessage): unknown {
  return contents.every(isText)
    ? contents.map(({ text }) => text).join('\n')
    : contents.map((content) => responsesContent(content, ` in the result of tool ${toolName}`));
}

function isText(content: Content): content is TextContent {
  return content.type === 'text';
}
