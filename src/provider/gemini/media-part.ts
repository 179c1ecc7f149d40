import type { Content } from '../../chat/content.ts';
import { mediaData, mediaType } from '../media-data.ts';
import { geminiApi } from './gemini-api.ts';

export type Media = Exclude<Content, { readonly type: 'text' }>;

const dataUrl = /^data:([^;,]+);base64,/;

/** A picture, sound, film or document as a part: its bytes, or where the provider finds them. */
export function mediaPart(content: Media): Readonly<Record<string, unknown>> {
  const { data, url } = content;
  if (data !== undefined || url === undefined)
    return { inlineData: { mimeType: mediaType(geminiApi, content), data: mediaData(geminiApi, content) } };
  const inside = dataUrl.exec(url);
  if (inside) return { inlineData: { mimeType: inside[1], data: url.slice(inside[0].length) } };
  const mimeType = content.type === 'pdf' ? 'application/pdf' : content.mediaType;
  // A film on YouTube has no type.
  return { fileData: { fileUri: url, ...(mimeType && { mimeType }) } };
}
