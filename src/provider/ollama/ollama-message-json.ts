import type { Content } from '../../chat/content.ts';
import type { AiMessage, ChatMessage, ToolExecutionRequest } from '../../chat/message.ts';
import { argumentsJson } from '../arguments-json.ts';
import { jsonBody } from '../json-body.ts';
import { mediaData } from '../media-data.ts';
import { notTaken } from '../request-error.ts';
import { serialisedOnce } from '../serialised-once.ts';
import { wireJson } from '../wire-json.ts';
import { wireName } from '../wire-name.ts';
import { ollamaApi } from './ollama-api.ts';

/** A message as JSON text of the Ollama API; throws a `ChatModelError` on content that it does not take. */
export const ollamaMessageJson = serialisedOnce((message: ChatMessage) => {
  switch (message.role) {
    case 'system':
      return wireJson({ role: 'system', content: message.text });
    case 'user':
      return wireJson({ role: 'user', ...content(message.contents) });
    case 'assistant':
      return assistantMessage(message);
    case 'tool':
      return wireJson({
        role: 'tool',
        ...content(message.contents),
        tool_name: wireName(message.toolName),
        // Known to newer servers only; the others go by the name and the order.
        tool_call_id: message.id,
      });
  }
});

/** The text in one piece and the images beside it: the API has no parts. */
function content(contents: readonly Content[]): { readonly content: string; readonly images?: readonly string[] } {
  const texts: string[] = [];
  const images: string[] = [];
  for (const part of contents) {
    if (part.type === 'text') texts.push(part.text);
    else images.push(imageData(part));
  }
  return { content: texts.join('\n'), ...(images.length > 0 && { images }) };
}

const remedies: Readonly<Record<'audio' | 'video' | 'pdf', string>> = {
  audio: 'send what is said in it as text',
  video: 'send pictures of it as images',
  pdf: 'send its text, or its pages as images',
};

function imageData(part: Exclude<Content, { readonly type: 'text' }>): string {
  if (part.type === 'image') return mediaData(ollamaApi, part);
  throw notTaken(ollamaApi, part.type, remedies[part.type]);
}

function assistantMessage({ text, thinking, toolExecutionRequests }: AiMessage): string {
  const said = { role: 'assistant', content: text ?? '' };
  if (toolExecutionRequests.length === 0) return wireJson(said);
  // Models go on with their thinking once they have the results; a plain answer goes without.
  return jsonBody({ ...said, thinking: thinking || undefined }, undefined, {
    tool_calls: () => `[${toolExecutionRequests.map(callJson).join(',')}]`,
  });
}

function callJson({ id, name, arguments: written }: ToolExecutionRequest, index: number): string {
  const called = () => jsonBody({ index, name: wireName(name) }, undefined, { arguments: () => argumentsJson(written) });
  return jsonBody({ id }, undefined, { function: called });
}
