import { textOf, type Content } from '../../chat/content.ts';
import type { AiMessage, ChatMessage } from '../../chat/message.ts';
import { dataUrl, inlined, mediaData } from '../media-data.ts';
import { notTaken } from '../request-error.ts';
import { wireJson } from '../wire-json.ts';
import { wireName } from '../wire-name.ts';
import { sentCallExtras } from './call-extras.ts';
import { chatApi } from './chat-api.ts';

/** A message as JSON text of the chat-completions API; throws a `ChatModelError` on content that it does not take. */
export function chatMessageJson(message: ChatMessage, server: string): string {
  return wireJson(wireMessage(message, server));
}

function wireMessage(message: ChatMessage, server: string): unknown {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text };
    case 'user':
      return { role: 'user', content: userContent(message.contents) };
    case 'assistant':
      return assistantMessage(message, server);
    case 'tool':
      // The API takes nothing but text here: media follows behind the results.
      return { role: 'tool', tool_call_id: message.id, content: textOf(message.contents) };
  }
}

/** What tools have returned beside text, as parts of a user message; empty where that is nothing. */
export function resultMediaJson(message: ChatMessage): string {
  const media = message.role === 'tool' ? message.contents.filter(({ type }) => type !== 'text') : [];
  if (message.role !== 'tool' || media.length === 0) return '';
  const parts = [{ type: 'text', text: `From the tool ${message.toolName}:` }, ...media.map(contentPart)];
  return parts.map((part) => wireJson(part)).join(',');
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
      return {
        type: 'input_audio',
        input_audio: { data: mediaData(chatApi, content), format: audioFormat(inlined(content).mediaType) },
      };
    case 'pdf':
      return { type: 'file', file: { filename: content.name ?? 'document.pdf', file_data: dataUrl(chatApi, content) } };
    case 'video':
      throw notTaken(chatApi, 'video', 'send pictures of it as images');
  }
}

const audioFormats: Readonly<Record<string, string>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
};

function audioFormat(mediaType = 'unknown'): string {
  if (Object.hasOwn(audioFormats, mediaType)) return audioFormats[mediaType]!;
  throw notTaken(chatApi, `audio of type ${mediaType}`, 'send audio/wav or audio/mpeg');
}

function assistantMessage(message: AiMessage, server: string): unknown {
  const { text, thinking, toolExecutionRequests, attributes } = message;
  const hasCalls = toolExecutionRequests.length > 0;
  const { reasoningField, reasoningDetails, reasoningServer = server } = attributes ?? {};
  // DeepSeek refuses a tool turn without its thinking, others refuse one with it; a plain answer goes without.
  const isOwn = hasCalls && reasoningServer === server;
  const extras = isOwn ? sentCallExtras(message) : undefined;
  return {
    role: 'assistant',
    content: text || (hasCalls ? null : ''),
    ...(isOwn && thinking && isReasoningField(reasoningField) && { [reasoningField]: thinking }),
    ...(isOwn && Array.isArray(reasoningDetails) && { reasoning_details: reasoningDetails as unknown[] }),
    ...(hasCalls && {
      tool_calls: toolExecutionRequests.map((request) => ({
        id: request.id,
        type: 'function',
        function: { name: wireName(request.name), arguments: request.arguments || '{}' },
        ...extras?.get(request),
      })),
    }),
  };
}

function isReasoningField(field: unknown): field is string {
  return field === 'reasoning_content' || field === 'reasoning';
}
