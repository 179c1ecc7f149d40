import type { Content } from '../../chat/content.ts';
import { redacted } from './redaction.ts';
import { isSecretKey } from './secret-keys.ts';

/** A content as it is taped: of bytes there is only their length and a hash, and no secret is left in a URL. */
export function mediaMarked(content: Content): Content {
  if (content.type === 'text') return content;
  const { data, url } = content;
  return {
    ...content,
    ...(data !== undefined && { data: mark(data) }),
    ...(url !== undefined && { url: url.startsWith('data:') ? mark(url) : withoutUrlSecrets(url) }),
  };
}

function mark(data: string): string {
  return `[${data.length} characters, hash ${hash(data)}]`;
}

/** Signed URLs are keys to what they show, and are new each time. */
function withoutUrlSecrets(url: string): string {
  return url
    .replace(/^(\w+:\/\/)[^/?#@]*@/, `$1${redacted}@`)
    .replace(/([?&#])([^=&#?]+)=[^&#]*/g, (whole, before: string, name: string) =>
      isSecretKey(name) || /sig(nature)?$/i.test(name) ? `${before}${name}=${redacted}` : whole,
    );
}

/** 64 bits (FNV-1a twice): it tells one picture from another, and is no proof against forgery. */
function hash(text: string): string {
  let [one, other] = [0x811c9dc5, 0x9e3779b9];
  for (let i = 0; i < text.length; i++) {
    one = Math.imul(one ^ text.charCodeAt(i), 0x01000193);
    other = Math.imul(other ^ text.charCodeAt(i), 0x85ebca6b);
  }
  return [one, other].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
