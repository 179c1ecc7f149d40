import type { Content } from '../../chat/content.ts';
import { dataUrl } from '../media-data.ts';
import { notTaken } from '../request-error.ts';
import { responsesApi } from './responses-api.ts';

const remedies = {
  audio: 'send what is said in it as text, or use openAiChat, whose API takes it',
  video: 'send pictures of it as images',
} as const;

/** A content as the Responses API takes it; throws a `ChatModelError` on one that it does not take. `where` tells its place. */
export function responsesContent(content: Content, where = ''): unknown {
  switch (content.type) {
    case 'text':
      return { type: 'input_text', text: content.text };
    case 'image':
      return {
        type: 'input_image',
        image_url: content.url ?? dataUrl(responsesApi, content),
        detail: content.detail ?? 'auto',
      };
    case 'pdf':
      return content.url === undefined
        ? { type: 'input_file', filename: content.name ?? 'document.pdf', file_data: dataUrl(responsesApi, content) }
        : { type: 'input_file', file_url: content.url };
    case 'audio':
    case 'video':
      throw notTaken(responsesApi, content.type + where, remedies[content.type]);
  }
}
