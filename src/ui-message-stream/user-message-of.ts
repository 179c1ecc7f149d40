import type { Content } from '../chat/content.ts';
import type { UserMessage } from '../chat/message.ts';
import type { PostedMessage, PostedPart } from './posted-messages.ts';

/** A user's message for the model; throws a `TypeError` where there is nothing in it, or a file that no model takes. */
export function userMessageOf({ parts }: PostedMessage, path: string): UserMessage {
  const contents = parts.flatMap((part, place): readonly Content[] => {
    if (part.type === 'text') return part.text ? [{ type: 'text', text: part.text }] : [];
    return part.type === 'file' ? [fileContent(part, `${path}.parts[${place}]`)] : [];
  });
  if (contents.length === 0) throw new TypeError(`${path}: the user says nothing; there must be a text or a file.`);
  return { role: 'user', contents };
}

function fileContent({ mediaType = '', url = '', filename }: PostedPart, path: string): Content {
  const place = placeOf(url, path);
  const type = /^(image|audio|video)\//.exec(mediaType)?.[1] as 'image' | 'audio' | 'video' | undefined;
  if (type) return { type, ...place, mediaType };
  if (mediaType === 'application/pdf') return { type: 'pdf', ...place, mediaType, ...(filename && { name: filename }) };
  if (/^text\/|^application\/json$/.test(mediaType) && place.data !== undefined)
    return { type: 'text', text: decoded(place.data, path) };
  throw new TypeError(
    `${path}: a file of the type ${JSON.stringify(mediaType)} can't be told; images, audio, videos, PDFs and texts as data URLs can.`,
  );
}

function placeOf(
  url: string,
  path: string,
): { readonly url: string; readonly data?: never } | { readonly data: string; readonly url?: never } {
  const [, base64, data] = /^data:[^,]*?(;base64)?,(.*)$/s.exec(url) ?? [];
  if (data !== undefined) return { data: base64 ? data : btoa(unescaped(data, path)) };
  // Whoever fetches it, provider or not, is not to be led to a file or into a script.
  if (/^https?:\/\//i.test(url)) return { url };
  throw new TypeError(`${path}.url: expected an http(s) URL or a data URL.`);
}

/** The bytes of a data URL that is not base64, one a character. */
function unescaped(data: string, path: string): string {
  try {
    return Array.from(new TextEncoder().encode(decodeURIComponent(data)), (byte) => String.fromCharCode(byte)).join('');
  } catch {
    throw new TypeError(`${path}.url: the data URL can't be decoded.`);
  }
}

function decoded(base64: string, path: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
  } catch {
    throw new TypeError(`${path}.url: the data URL is not base64.`);
  }
}
