import { isObject } from '../chat/is-object.ts';
import { jsonText } from '../chat/json-safe.ts';

type Mutable = Record<string, unknown>;
type Odd = Readonly<Mutable>;

/**
 * Mends the result of a tool, in place. The SDK checks it as a whole: one part that is odd would make a failure of what has been done.
 * What can't be used as it is is told as text.
 */
export function mendResult(result: Mutable): void {
  const { content, structuredContent, isError, _meta } = result;
  const blocks = Array.isArray(content) ? content.map(mendedBlock) : typeof content === 'string' ? [textBlock(content)] : [];
  const isOddData = structuredContent !== undefined && !isObject(structuredContent);
  result['content'] = isOddData && blocks.length === 0 ? [textBlock(jsonText(structuredContent))] : blocks;
  if (isOddData) delete result['structuredContent'];
  if (isError !== undefined) result['isError'] = isError === true || isError === 'true';
  if (_meta !== undefined && !isObject(_meta)) delete result['_meta'];
}

function mendedBlock(block: unknown): Odd {
  if (!isObject(block) || !isUsable(block)) return textBlock(typeof block === 'string' ? block : jsonText(block));
  const { annotations, _meta, ...rest } = block;
  return { ...rest, ...(areUsable(annotations) && { annotations }), ...(isObject(_meta) && { _meta }) };
}

function textBlock(text: string): Odd {
  return { type: 'text', text };
}

function isUsable({ type, text, data, mimeType, resource, uri, name }: Odd): boolean {
  switch (type) {
    case 'text':
      return typeof text === 'string';
    case 'image':
    case 'audio':
      return isBase64(data) && typeof mimeType === 'string';
    case 'resource':
      return (
        isObject(resource) &&
        typeof resource['uri'] === 'string' &&
        (typeof resource['text'] === 'string' || isBase64(resource['blob']))
      );
    case 'resource_link':
      return typeof uri === 'string' && typeof name === 'string';
    default:
      return false;
  }
}

function isBase64(data: unknown): boolean {
  try {
    return typeof data === 'string' && atob(data).length >= 0;
  } catch {
    return false;
  }
}

const roles: readonly unknown[] = ['user', 'assistant'];

function areUsable(annotations: unknown): boolean {
  if (!isObject(annotations)) return false;
  const { audience = [], priority = 0, lastModified } = annotations;
  if (!Array.isArray(audience) || !audience.every((role) => roles.includes(role))) return false;
  return typeof priority === 'number' && priority >= 0 && priority <= 1 && lastModified === undefined;
}
