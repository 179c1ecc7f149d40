import type { Content } from '../chat/content.ts';

/**
 * The contents with at most `maxLength` characters of text in all: of what is too long the model gets the head and the tail,
 * and how much is missing between them. Media stays.
 *
 *     head … [… 4980000 characters are missing here …] … tail
 */
export function shortenedContents(contents: readonly Content[], maxLength = Infinity): readonly Content[] {
  const lengths = contents.map((content) => (content.type === 'text' ? content.text.length : 0));
  const total = lengths.reduce((sum, length) => sum + length, 0);
  if (total <= maxLength) return contents;
  const text = contents.map((content) => (content.type === 'text' ? content.text : '')).join('');
  // The longest form of the note decides on the room that is left.
  const room = maxLength - note(total).length;
  const hasNote = room > 0;
  const from = wholeBefore(text, hasNote ? Math.ceil(room / 2) : maxLength);
  const to = hasNote ? wholeBehind(text, total - Math.floor(room / 2)) : total;
  let begin = 0;
  return contents.flatMap((content, place) => {
    const [first, end] = [begin, (begin += lengths[place]!)];
    if (content.type !== 'text' || end <= from || first >= to) return [content];
    const isGapHere = first <= from;
    // A text that lies in the gap is counted with it.
    if (!isGapHere && end <= to) return [];
    const gap = isGapHere && hasNote ? note(to - from) : '';
    const left = content.text.slice(0, Math.max(0, from - first)) + gap + content.text.slice(Math.max(0, to - first));
    return left || from === 0 ? [{ ...content, text: left }] : [];
  });
}

const note = (count: number): string => `\n[… ${count} characters are missing here …]\n`;

// Both keep the two halves of a character outside the basic plane together.
const wholeBefore = (text: string, index: number): number => (isInside(text, index) ? index - 1 : index);
const wholeBehind = (text: string, index: number): number => (isInside(text, index) ? index + 1 : index);

function isInside(text: string, index: number): boolean {
  return isBetween(text.charCodeAt(index - 1), 0xd800, 0xdbff) && isBetween(text.charCodeAt(index), 0xdc00, 0xdfff);
}

const isBetween = (code: number, least: number, most: number): boolean => code >= least && code <= most;
