import type { Content } from '../chat/content.ts';
import { notTaken, type Api } from './request-error.ts';

type Media = Exclude<Content, { readonly type: 'text' }>;

const names: Readonly<Record<Media['type'], string>> = { image: 'an image', audio: 'audio', video: 'video', pdf: 'a PDF' };

const bytesInUrl = /^data:([^;,]+);base64,(.*)$/s;

/** A content whose URL holds the bytes themselves, as one that has them as data. */
export function inlined<T extends Media>(content: T): T {
  const [, mediaType, data] = bytesInUrl.exec(content.url ?? '') ?? [];
  return data === undefined ? content : { ...content, url: undefined, data, mediaType };
}

/** The bytes of a content, in base64, for an API that takes no URL in their place; throws a `ChatModelError` without them. */
export function mediaData(api: Api, content: Media): string {
  const { type, data, url } = inlined(content);
  if (data !== undefined) return data;
  if (url === undefined) throw notTaken(api, 'media without data and url', 'set one of them');
  throw notTaken(api, `${names[type]} by url`, 'send its data');
}

/** The type of the bytes; throws a `ChatModelError` where it is not told. */
export function mediaType(api: Api, content: Media): string {
  if (content.type === 'pdf') return 'application/pdf';
  return inlined(content).mediaType || fail(notTaken(api, 'data without a mediaType', 'set mediaType, as in image/png'));
}

/** The bytes as a URL. */
export function dataUrl(api: Api, content: Media): string {
  const data = mediaData(api, content);
  return `data:${mediaType(api, content)};base64,${data}`;
}

function fail(error: Error): never {
  throw error;
}
