import type { Turn } from '../turn.ts';
import type { ResponsesPart } from './responses-event.ts';
import type { OpenItem } from './responses-open-items.ts';
import { partText, untold, type PartKind } from './responses-part.ts';

/** Tells the turn what an item says and thinks, each part of it once. */
export interface ResponsesTelling {
  piece(kind: PartKind, item: OpenItem, place: number, text: string): void;
  /** A part that is whole: only what its pieces have not told is new. */
  whole(kind: PartKind | undefined, item: OpenItem, place: number, part: ResponsesPart): void;
  /** The message that is speaking has ended, or something else begins. */
  silence(): void;
  hasText(): boolean;
}

export function responsesTelling(turn: Turn): ResponsesTelling {
  /** The message whose text goes on. It is marked when that ends: the turn marks no part but its last. */
  let speaking: OpenItem | undefined;
  let hasText = false;

  const silence = () => {
    const extra = speaking && messageExtra(speaking);
    if (extra) turn.mark(extra);
    speaking = undefined;
  };
  const say = (item: OpenItem, place: number, text: string) => {
    if (item !== speaking) silence();
    speaking = item;
    hasText = true;
    item.contents = place + 1;
    item.said += text;
    turn.text(text);
  };
  const tell: Readonly<Record<PartKind, (item: OpenItem, place: number, text: string) => void>> = {
    text: say,
    refusal(item, place, text) {
      item.isRefusal = true;
      turn.refused();
      say(item, place, text);
    },
    thought(item, place, text) {
      item.contents = place + 1;
      item.said += text;
      turn.thinking(text);
    },
    summary(item, place, text) {
      item.summaries = place + 1;
      item.summed += text;
      turn.thinking(text);
    },
  };

  return {
    piece(kind, item, place, text) {
      item.hasPieces = true;
      tell[kind](item, place, text);
    },
    whole(kind, item, place, part) {
      const text = kind ? untold(kind, place, partText(part), item) : '';
      if (kind && text) tell[kind](item, place, text);
    },
    silence,
    hasText: () => hasText,
  };
}

/** What goes back with the text of a message. */
function messageExtra({ item, isRefusal }: OpenItem): Readonly<Record<string, unknown>> | undefined {
  const { id, phase } = item ?? {};
  if (!id && !phase) return undefined;
  return { ...(id && { id }), ...(phase && { phase }), ...(isRefusal && { isRefusal }) };
}
