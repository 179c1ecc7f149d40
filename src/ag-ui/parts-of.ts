import { textOf, type Content } from '../chat/content.ts';
import type { AgUiPart } from './ag-ui-message.ts';

/** What a tool returned, for a message of the protocol: text as text, and parts where there is media. */
export function partsOf(contents: readonly Content[], text: string): string | readonly AgUiPart[] {
  return contents.some(({ type }) => type !== 'text') ? contents.map(partOf) : text;
}

function partOf(content: Content): AgUiPart {
  if (content.type === 'text') return { type: 'text', text: content.text };
  const { data, url, mediaType } = content;
  const type = content.type === 'pdf' ? 'document' : content.type;
  if (data !== undefined)
    return { type, source: { type: 'data', value: data, mimeType: mediaType ?? assumedTypes[content.type] } };
  if (url !== undefined)
    return { type, source: { type: 'url', value: url, ...(mediaType !== undefined && { mimeType: mediaType }) } };
  return { type: 'text', text: textOf([content]) };
}

/** The protocol insists on a type beside data. */
const assumedTypes = { image: 'image/png', audio: 'audio/mpeg', video: 'video/mp4', pdf: 'application/pdf' } as const;
