import type { Content } from '../chat/content.ts';
import type { AgUiPart, AgUiSource } from './ag-ui-message.ts';

/** The content of a message of the protocol as contents. Throws a `TypeError` on a part that no model could be given. */
export function contentsOf(content: string | readonly AgUiPart[]): readonly Content[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content.map(contentOf);
}

function contentOf(part: AgUiPart): Content {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { type, source } = part;
  if (source.type === 'file')
    throw new TypeError(`The file ${source.value} is a handle of a provider: send the ${type} as data or as a url.`);
  return type === 'document' ? documentOf(source) : { type, ...located(source) };
}

type LocatedSource = Exclude<AgUiSource, { readonly type: 'file' }>;

function located({ type, value, mimeType }: LocatedSource) {
  return { ...(type === 'data' ? { data: value } : { url: value }), ...(mimeType !== undefined && { mediaType: mimeType }) };
}

function documentOf(source: LocatedSource): Content {
  const type = source.mimeType?.toLowerCase().split(';')[0]!.trim();
  if (source.type === 'data' && type && isText(type)) return { type: 'text', text: decoded(source.value) };
  if (type === undefined || type === 'application/pdf') return { type: 'pdf', ...located(source) };
  throw new TypeError(`A document of the type ${type} can't be given to a model: send a PDF, or text as data.`);
}

const isText = (type: string): boolean => type.startsWith('text/') || type === 'application/json' || type === 'application/xml';

function decoded(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
  } catch {
    throw new TypeError('The data of a document is no base64.');
  }
}
