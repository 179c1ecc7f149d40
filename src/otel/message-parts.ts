import type { AiMessage, ChatMessage } from '../chat/message.ts';
import type { ChatResponse } from '../chat/chat-response.ts';
import { textOf, type Content } from '../chat/content.ts';
import type { ToolSpecification } from '../chat/tool-specification.ts';
import { finishReasonOf } from './response-attributes.ts';

// The JSON of the conventions: gen-ai-input-messages.json, gen-ai-output-messages.json and their like.

type Part = Readonly<Record<string, unknown>> & { readonly type: string };

/** All but the system's, which have a place of their own. */
export const inputMessages = (messages: readonly ChatMessage[]): unknown[] =>
  messages.filter(({ role }) => role !== 'system').map((message) => ({ role: message.role, parts: partsOf(message) }));

export const outputMessages = ({ aiMessage, finishReason }: ChatResponse): unknown[] => [
  { role: 'assistant', parts: partsOf(aiMessage), ...(finishReason && { finish_reason: finishReasonOf(finishReason) }) },
];

/** `undefined` where there are none. */
export function systemInstructions(messages: readonly ChatMessage[]): unknown[] | undefined {
  const parts = messages.flatMap((message) => (message.role === 'system' ? partsOf(message) : []));
  return parts.length > 0 ? parts : undefined;
}

export const toolDefinitions = (specifications: readonly ToolSpecification[] = []): unknown[] | undefined =>
  specifications.length === 0
    ? undefined
    : specifications.map(({ name, description, parameters }) => ({ type: 'function', name, description, parameters }));

/** Arguments as an object, which the conventions ask for, or as the model wrote them where they are none. */
export function argumentsOf(text: string): unknown {
  try {
    return text.trim() ? (JSON.parse(text) as unknown) : {};
  } catch {
    return text;
  }
}

function partsOf(message: ChatMessage): readonly Part[] {
  switch (message.role) {
    case 'system':
      return [{ type: 'text', content: message.text }];
    case 'user':
      return message.contents.map(contentPart);
    case 'tool':
      return [{ type: 'tool_call_response', id: message.id, response: textOf(message.contents) }];
    case 'assistant':
      return answerParts(message);
  }
}

function answerParts({ text, thinking, toolExecutionRequests }: AiMessage): readonly Part[] {
  return [
    ...(thinking ? [{ type: 'reasoning', content: thinking }] : []),
    ...(text ? [{ type: 'text', content: text }] : []),
    ...toolExecutionRequests.map(({ id, name, arguments: written }) => ({
      type: 'tool_call',
      id,
      name,
      arguments: argumentsOf(written),
    })),
  ];
}

function contentPart(content: Content): Part {
  if (content.type === 'text') return { type: 'text', content: content.text };
  const modality = content.type === 'pdf' ? 'document' : content.type;
  const what = { modality, ...(content.mediaType !== undefined && { mime_type: content.mediaType }) };
  return content.data === undefined
    ? { type: 'uri', ...what, uri: content.url }
    : { type: 'blob', ...what, content: content.data };
}
