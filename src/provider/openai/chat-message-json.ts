import type { Content } from '../../chat/content.ts';
import type { AiMessage, ChatMessage, ToolExecutionResultMessage } from '../../chat/message.ts';
import { dataUrl, mediaData } from '../media-data.ts';
import { notTaken } from '../request-error.ts';
import { serialisedOnce } from '../serialised-once.ts';
import { wireName } from '../wire-name.ts';
import { chatApi } from './chat-api.ts';

/** A message as JSON text of the chat-completions API; throws a `ChatModelError` on content that it does not take. */
export const chatMessageJson = serialisedOnce((message: ChatMessage) => JSON.stringify(wireMessage(message)));

function wireMessage(message: ChatMessage): unknown {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text };
    case 'user':
      return { role: 'user', content: userContent(message.contents) };
    case 'assistant':
      return assistantMessage(message);
    case 'tool':
      return { role: 'tool', tool_call_id: message.id, content: toolContent(message) };
  }
}

function userContent(contents: readonly Content[]): unknown {
  const [first, ...more] = contents;
  return first?.type === 'text' && more.length === 0 ? first.text : contents.map(contentPart);
}

function contentPart(content: Content): unknown {
  switch (content.type) {
    case 'text':
      return { type: 'text', text: content.text };
    case 'image':
      return {
        type: 'image_url',
        image_url: { url: content.url ?? dataUrl(chatApi, content), ...(content.detail && { detail: content.detail }) },
      };
    case 'audio':
      return { type: 'input_audio', input_audio: { data: mediaData(chatApi, content), format: audioFormat(content.mediaType) } };
    case 'pdf':
      return { type: 'file', file: { filename: content.name ?? 'document.pdf', file_data: dataUrl(chatApi, content) } };
    case 'video':
      throw notTaken(chatApi, 'video', 'send pictures of it as images');
  }
}

function audioFormat(mediaType: string | undefined): string {
  const format = { 'audio/wav': 'wav', 'audio/x-wav': 'wav', 'audio/mpeg': 'mp3', 'audio/mp3': 'mp3' }[mediaType ?? ''];
  return format ?? fail(notTaken(chatApi, `audio of type ${mediaType ?? 'unknown'}`, 'send audio/wav or audio/mpeg'));
}

function toolContent({ contents, toolName }: ToolExecutionResultMessage): string {
  return contents
    .map((content) =>
      content.type === 'text'
        ? content.text
        : fail(notTaken(chatApi, `${content.type} in the result of tool ${toolName}`, 'return text, such as a link to it')),
    )
    .join('\n');
}

function assistantMessage({ text, thinking, toolExecutionRequests, attributes }: AiMessage): unknown {
  const hasCalls = toolExecutionRequests.length > 0;
  const { reasoningField, reasoningDetails } = attributes ?? {};
  return {
    role: 'assistant',
    content: text || (hasCalls ? null : ''),
    // DeepSeek refuses a tool turn without its thinking; a plain answer goes without.
    ...(hasCalls && thinking && isReasoningField(reasoningField) && { [reasoningField]: thinking }),
    ...(hasCalls && Array.isArray(reasoningDetails) && { reasoning_details: reasoningDetails as unknown[] }),
    ...(hasCalls && {
      tool_calls: toolExecutionRequests.map(({ id, name, arguments: written }) => ({
        id,
        type: 'function',
        function: { name: wireName(name), arguments: written || '{}' },
      })),
    }),
  };
}

function isReasoningField(field: unknown): field is string {
  return field === 'reasoning_content' || field === 'reasoning';
}

function fail(error: Error): never {
  throw error;
}
