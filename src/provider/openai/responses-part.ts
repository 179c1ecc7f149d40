import { isText } from '../wire-values.ts';
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
  return type && Object.hasOwn(kinds, type) ? kinds[type] : undefined;
}

export function partText({ text, refusal }: Pick<ResponsesPart, 'text' | 'refusal'>): string {
  if (isText(text)) return text;
  return isText(refusal) ? refusal : '';
}

/** Which part of its item an event is about. */
export function partPlace(kind: PartKind, { summary_index, content_index }: ResponsesEvent): number {
  return (kind === 'summary' ? summary_index : content_index) ?? 0;
}

export function isTold(kind: PartKind, place: number, { contents, summaries }: OpenItem): boolean {
  return place < (kind === 'summary' ? summaries : contents);
}
