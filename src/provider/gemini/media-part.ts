import type { Content } from '../../chat/content.ts';
import { inlined, mediaData, mediaType } from '../media-data.ts';
import { geminiApi } from './gemini-api.ts';

export type Media = Exclude<Content, { readonly type: 'text' }>;

/** A picture, sound, film or document as a part: its bytes, or where the provider finds them. */
export function mediaPart(content: Media): Readonly<Record<string, unknown>> {
  const media = inlined(content);
  const { data, url } = media;
  if (data !== undefined || url === undefined)
    return { inlineData: { mimeType: mediaType(geminiApi, media), data: mediaData(geminiApi, media) } };
  const mimeType = content.type === 'pdf' ? 'application/pdf' : content.mediaType;
  // A film on YouTube has no type.
  return { fileData: { fileUri: url, ...(mimeType && { mimeType }) } };
}
