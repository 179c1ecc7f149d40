import type { Content, ImageContent, PdfContent } from '../../chat/content.ts';
import type { ToolExecutionResultMessage } from '../../chat/message.ts';
import { inlined, mediaData, mediaType } from '../media-data.ts';
import { notTaken } from '../request-error.ts';
import { callId } from './call-id.ts';
import { messagesApi } from './messages-api.ts';

type Json = Readonly<Record<string, unknown>>;

/** The blocks of contents; throws a `ChatModelError` on one that the API does not take. Blank texts, which it refuses, are left out. */
export function contentBlocks(contents: readonly Content[], place = ''): readonly Json[] {
  return contents.map((content) => contentBlock(content, place)).filter((block) => block !== undefined);
}

/** The result of one call. An error must say something; a result need not. */
export function resultBlock({ id, toolName, contents, isError }: ToolExecutionResultMessage): Json {
  const blocks = contentBlocks(contents, ` in the result of tool ${toolName}`);
  const [only] = blocks;
  const isText = blocks.length === 1 && only!['type'] === 'text';
  const content = isText
    ? only!['text']
    : blocks.length > 0
      ? blocks
      : isError
        ? 'The tool failed and gave no reason.'
        : undefined;
  return {
    type: 'tool_result',
    tool_use_id: callId(id),
    ...(content !== undefined && { content }),
    ...(isError && { is_error: true }),
  };
}

function contentBlock(content: Content, place: string): Json | undefined {
  switch (content.type) {
    case 'text':
      return content.text.trim() ? { type: 'text', text: content.text } : undefined;
    case 'image':
      return { type: 'image', source: imageSource(content, place) };
    case 'pdf':
      return { type: 'document', source: pdfSource(content), ...(content.name && { title: content.name }) };
    case 'audio':
      throw notTaken(messagesApi, `audio${place}`, 'send what is said in it as text');
    case 'video':
      throw notTaken(messagesApi, `video${place}`, 'send pictures of it as images');
  }
}

/** As the API names the types of images that it takes. */
const imageTypes: Readonly<Record<string, string>> = {
  'image/jpeg': 'image/jpeg',
  'image/jpg': 'image/jpeg',
  'image/png': 'image/png',
  'image/gif': 'image/gif',
  'image/webp': 'image/webp',
};

function imageSource(image: ImageContent, place: string): Json {
  const media = inlined(image);
  if (media.url !== undefined) return { type: 'url', url: media.url };
  const data = mediaData(messagesApi, media);
  const type = mediaType(messagesApi, media);
  const known = Object.hasOwn(imageTypes, type) ? imageTypes[type] : undefined;
  if (!known)
    throw notTaken(messagesApi, `an image of type ${type}${place}`, 'send image/jpeg, image/png, image/gif or image/webp');
  return { type: 'base64', media_type: known, data };
}

function pdfSource(pdf: PdfContent): Json {
  const media = inlined(pdf);
  if (media.url !== undefined) return { type: 'url', url: media.url };
  return { type: 'base64', media_type: 'application/pdf', data: mediaData(messagesApi, media) };
}
