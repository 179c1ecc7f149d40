import type { Content, TextContent } from '../../chat/content.ts';
import type { ChatMessage, ToolExecutionResultMessage } from '../../chat/message.ts';
import { onceFor } from '../once-for.ts';
import { wireJson } from '../wire-json.ts';
import { responsesAnswerItems } from './responses-answer-items.ts';
import { callId } from './responses-call-id.ts';
import { responsesContent } from './responses-content.ts';

/**
 * Messages as the input of a Responses request, in JSON; throws a `ChatModelError` on content that the API does not take. An
 * id that an item before has had is not told again, since the API refuses it.
 */
export function responsesInputJson(messages: readonly ChatMessage[]): string {
  const known = new Set<unknown>();
  const parts = messages.map((message) => {
    const { json, ids } = written(message);
    const isRepeated = ids.some((id, place) => known.has(id) || ids.indexOf(id) < place);
    for (const id of ids) known.add(id);
    return isRepeated ? joined(itemsOf(message).map((item) => ({ ...item, id: undefined }))) : json;
  });
  return `[${parts.filter(Boolean).join(',')}]`;
}

type Item = Readonly<Record<string, unknown>>;

const written = onceFor((message: ChatMessage) => {
  const items = itemsOf(message);
  return { json: joined(items), ids: items.map(({ id }) => id).filter((id) => id !== undefined) };
});

/** With a comma between them; empty for an answer without anything in it. */
function joined(items: readonly Item[]): string {
  return wireJson(items).slice(1, -1);
}

function itemsOf(message: ChatMessage): readonly Item[] {
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
