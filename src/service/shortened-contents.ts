import type { Content } from '../chat/content.ts';

/**
 * The contents with at most `maxLength` characters of text in all: of what is too long the model gets the head and the tail,
 * and how much is missing between them.
 */
export function shortenedContents(contents: readonly Content[], maxLength = Infinity): readonly Content[] {
  const total = contents.reduce((sum, content) => sum + (content.type === 'text' ? content.text.length : 0), 0);
  if (total <= maxLength) return contents;
  // Each text has its share of what is allowed.
  return contents.map((content) =>
    content.type === 'text'
      ? { ...content, text: shortened(content.text, Math.floor((maxLength * content.text.length) / total)) }
      : content,
  );
}

function shortened(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // The longest form of the note decides on the room that is left.
  const room = maxLength - note(text.length).length;
  if (room <= 0) return head(text, maxLength);
  const start = head(text, Math.ceil(room / 2));
  const end = tail(text, Math.floor(room / 2));
  return start + note(text.length - start.length - end.length) + end;
}

const note = (count: number): string => `\n[… ${count} characters are missing here …]\n`;

// Both keep the two halves of a character outside the basic plane together.
const head = (text: string, length: number): string => text.slice(0, isHigh(text, length - 1) ? length - 1 : length);
const tail = (text: string, length: number): string =>
  length === 0 ? '' : text.slice(isHigh(text, text.length - length - 1) ? 1 - length || text.length : -length);

function isHigh(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xd800 && code <= 0xdbff;
}
