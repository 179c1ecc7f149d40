import type { Content } from '../chat/content.ts';
import type { UiMessageChunk } from './ui-message-chunk.ts';

/** Where contents that were found come from. Of a text, which says no more than itself, how it begins. */
export function sourceChunks(contents: readonly Content[]): readonly UiMessageChunk[] {
  return contents.map((content, place): UiMessageChunk => {
    const sourceId = `source-${place + 1}`;
    if (content.type === 'text')
      return { type: 'source-document', sourceId, mediaType: 'text/plain', title: beginning(content.text) };
    const name = content.type === 'pdf' ? content.name : undefined;
    if (content.url !== undefined) return { type: 'source-url', sourceId, url: content.url, ...(name && { title: name }) };
    const mediaType = content.mediaType ?? defaultTypes[content.type];
    return { type: 'source-document', sourceId, mediaType, title: name ?? content.type, ...(name && { filename: name }) };
  });
}

const defaultTypes = { image: 'image/*', audio: 'audio/*', video: 'video/*', pdf: 'application/pdf' } as const;

const longest = 80;

function beginning(text: string): string {
  const line = text.trim().split(/[\r\n]/, 1)[0]!;
  const characters = Array.from(line);
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : line;
}
