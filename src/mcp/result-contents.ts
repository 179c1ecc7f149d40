import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import type { Content } from '../chat/content.ts';
import { jsonText } from '../chat/json-safe.ts';

/**
 * What the model gets of an MCP tool's result.
 *
 * text → text · image, audio → the same · a resource → its text, or what its bytes are · a link to a resource → a line of text.
 * Where there is no content, `structuredContent` is told as JSON; where there is neither, `Success`.
 */
export function resultContents({ content, structuredContent }: CallToolResult): readonly Content[] {
  if (content.length > 0) return content.map(contentOf);
  return [{ type: 'text', text: structuredContent === undefined ? 'Success' : jsonText(structuredContent) }];
}

function contentOf(block: ContentBlock): Content {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
    case 'audio':
      return { type: block.type, data: block.data, mediaType: block.mimeType };
    case 'resource':
      return 'text' in block.resource ? { type: 'text', text: block.resource.text } : blobOf(block.resource);
    case 'resource_link':
      return { type: 'text', text: linkOf(block) };
    default:
      // Of a later revision of the protocol.
      return { type: 'text', text: jsonText(block) };
  }
}

interface Blob {
  readonly uri: string;
  readonly mimeType?: string;
  readonly blob: string;
}

const readable = /^text\/|[/+](json|xml|yaml)$/;

function blobOf({ uri, mimeType = 'application/octet-stream', blob }: Blob): Content {
  const [mediaType = ''] = mimeType.toLowerCase().split(';');
  const [kind] = mediaType.split('/');
  if (kind === 'image' || kind === 'audio' || kind === 'video') return { type: kind, data: blob, mediaType };
  if (mediaType === 'application/pdf') return { type: 'pdf', data: blob, mediaType, name: uri.split('/').at(-1) || uri };
  const text = readable.test(mediaType) ? textIn(blob) : undefined;
  // No model reads such bytes; the application finds them in the result.
  return { type: 'text', text: text ?? `[resource ${uri}: ${mimeType}, ${Math.floor((blob.length * 3) / 4)} bytes]` };
}

function textIn(base64: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

type Link = Extract<ContentBlock, { type: 'resource_link' }>;

function linkOf({ uri, title, name, mimeType, description }: Link): string {
  const kind = mimeType === undefined ? '' : ` (${mimeType})`;
  return `[resource ${title ?? name}: ${uri}${kind}]${description ? ` ${description}` : ''}`;
}
