import type { ChatMessage } from '../../chat/message.ts';
import { drawMessage } from '../draw-message.ts';
import type { Difference } from './json-differences.ts';
import { pathText, roleOf } from './request-path.ts';

const mostShown = 8;
const longest = 100;
/** How much of what is alike is shown before the first difference of two texts. */
const lead = 30;

/** Differences for readers: where, what was recorded, and what came. */
export function differencesText(differences: readonly Difference[]): string {
  const shown = differences.slice(0, mostShown).map(({ path, recorded, came }) => {
    const role = roleOf(path);
    const isMessage = path.length === 2 && role !== undefined;
    const draw = (value: unknown, other: unknown) => drawn(value, other, isMessage);
    return [
      `  ${pathText(path)}${role === undefined || isMessage ? '' : ` (${role})`}`,
      `    recorded  ${draw(recorded, came)}`,
      `    came      ${draw(came, recorded)}`,
    ].join('\n');
  });
  const more = differences.length > mostShown ? [`  and ${differences.length - mostShown} more`] : [];
  return [...shown, ...more].join('\n');
}

function drawn(value: unknown, other: unknown, isMessage: boolean): string {
  if (value === undefined) return 'nothing';
  if (isMessage) return shortened(drawMessage(value as ChatMessage).replace(/\s+/g, ' '), 0);
  if (typeof value !== 'string') return shortened(JSON.stringify(value), 0);
  return JSON.stringify(shortened(value, typeof other === 'string' ? commonLength(value, other) : 0));
}

/** A text around the place where it begins to differ. */
function shortened(text: string, differsAt: number): string {
  if (text.length <= longest) return text;
  const from = Math.min(Math.max(0, differsAt - lead), text.length - longest);
  const to = from + longest;
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
}

function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}
