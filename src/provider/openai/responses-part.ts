import { isText, wireIndex } from '../wire-values.ts';
import type { ResponsesEvent, ResponsesPart } from './responses-event.ts';
import type { OpenItem } from './responses-open-items.ts';

/** What a part of an item is: what the model says, or what it thinks. */
export type PartKind = 'text' | 'refusal' | 'thought' | 'summary';

const kinds: Readonly<Record<string, PartKind>> = {
  output_text: 'text',
  text: 'text',
  refusal: 'refusal',
  reasoning_text: 'thought',
  summary_text: 'summary',
};

export function partKind({ type }: ResponsesPart): PartKind | undefined {
  return isText(type) && Object.hasOwn(kinds, type) ? kinds[type] : undefined;
}

export function partText({ text, refusal }: Pick<ResponsesPart, 'text' | 'refusal'>): string {
  if (isText(text)) return text;
  return isText(refusal) ? refusal : '';
}

/** Which part of its item an event is about. */
export function partPlace(kind: PartKind, { summary_index, content_index }: ResponsesEvent): number {
  return wireIndex(kind === 'summary' ? summary_index : content_index) ?? 0;
}

/**
 * What is new in a part that is whole: all of it, nothing, or its end. Some servers count up the place with each piece, so
 * that behind pieces a part that repeats what was told last is none of its own.
 */
export function untold(kind: PartKind, place: number, text: string, item: OpenItem): string {
  const { hasPieces } = item;
  const [count, told] = kind === 'summary' ? [item.summaries, item.summed] : [item.contents, item.said];
  if (place < count - 1) return '';
  if ((hasPieces || place < count) && told.endsWith(text)) return '';
  if (place >= count) return text;
  return text.startsWith(told) ? text.slice(told.length) : '';
}
