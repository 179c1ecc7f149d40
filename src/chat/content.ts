/** Text, for or from the model. */
export interface TextContent {
  readonly type: 'text';
  readonly text: string;
}

/** Where the bytes of a picture, sound, film or document are: base64 `data`, or a `url` that the provider fetches. */
interface MediaContent {
  readonly data?: string;
  readonly url?: string;
  /** The MIME type, needed with `data`, as in `image/png`. */
  readonly mediaType?: string;
}

export interface ImageContent extends MediaContent {
  readonly type: 'image';
  /** How closely the model looks, where the provider lets one choose. */
  readonly detail?: 'auto' | 'low' | 'high';
}

export interface AudioContent extends MediaContent {
  readonly type: 'audio';
}

export interface VideoContent extends MediaContent {
  readonly type: 'video';
}

export interface PdfContent extends MediaContent {
  readonly type: 'pdf';
  /** The file name that the model is shown. */
  readonly name?: string;
}

/** One part of a message: text or media. */
export type Content = TextContent | ImageContent | AudioContent | VideoContent | PdfContent;

const mediaTypes: readonly unknown[] = ['image', 'audio', 'video', 'pdf'];

/** Whether a value that a tool or a store returned is a content rather than data that happens to be an object. */
export function isContent(value: unknown): value is Content {
  if (typeof value !== 'object' || value === null) return false;
  const { type, text, data, url, mediaType, name } = value as Readonly<Record<string, unknown>>;
  if (type === 'text') return typeof text === 'string';
  const isWritten = [data, url, mediaType, name].every((field) => field === undefined || typeof field === 'string');
  return mediaTypes.includes(type) && isWritten && (data ?? url) !== undefined;
}

/** All text of the contents in one string; media is told by a short mark such as `[image]`. */
export function textOf(contents: readonly Content[]): string {
  return contents.map((content) => (content.type === 'text' ? content.text : `[${content.type}]`)).join('\n');
}
