import { ChatModelError } from '../../chat/chat-model-error.ts';
import type { Content } from '../../chat/content.ts';
import type { AiMessage, ChatMessage, ToolExecutionResultMessage } from '../../chat/message.ts';
import { wireName } from './wire-name.ts';

// Messages never change, so each is serialised once: a later round pays for what is new.
const serialised = new WeakMap<ChatMessage, string>();

/** A message as JSON text of the chat-completions API; throws a `ChatModelError` on content that it does not take. */
export function chatMessageJson(message: ChatMessage): string {
  const known = serialised.get(message);
  if (known !== undefined) return known;
  const json = JSON.stringify(wireMessage(message));
  serialised.set(message, json);
  return json;
}

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
        image_url: { url: content.url ?? dataUrl(content), ...(content.detail && { detail: content.detail }) },
      };
    case 'audio':
      if (content.data === undefined) throw notTaken('audio by url', 'send its data');
      return { type: 'input_audio', input_audio: { data: content.data, format: audioFormat(content.mediaType) } };
    case 'pdf':
      if (content.data === undefined) throw notTaken('a PDF by url', 'send its data');
      return {
        type: 'file',
        file: { filename: content.name ?? 'document.pdf', file_data: dataUrl({ ...content, mediaType: 'application/pdf' }) },
      };
    case 'video':
      throw notTaken('video', 'send pictures of it as images');
  }
}

function dataUrl({ data, mediaType }: { readonly data?: string; readonly mediaType?: string }): string {
  if (data === undefined) throw notTaken('media without data and url', 'set one of them');
  if (!mediaType) throw notTaken('data without a mediaType', 'set mediaType, as in image/png');
  return `data:${mediaType};base64,${data}`;
}

function audioFormat(mediaType: string | undefined): string {
  const format = { 'audio/wav': 'wav', 'audio/x-wav': 'wav', 'audio/mpeg': 'mp3', 'audio/mp3': 'mp3' }[mediaType ?? ''];
  return format ?? fail(notTaken(`audio of type ${mediaType ?? 'unknown'}`, 'send audio/wav or audio/mpeg'));
}

function toolContent({ contents, toolName }: ToolExecutionResultMessage): string {
  return contents
    .map((content) =>
      content.type === 'text'
        ? content.text
        : fail(notTaken(`${content.type} in the result of tool ${toolName}`, 'return text, such as a link to it')),
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

function notTaken(what: string, remedy: string): ChatModelError {
  return new ChatModelError(`openai: the chat-completions API does not take ${what}: ${remedy}.`, {
    kind: 'invalidRequest',
    provider: 'openai',
    retryable: false,
  });
}

function fail(error: Error): never {
  throw error;
}
