import type { Turn } from '../turn.ts';
import { isText, list } from '../wire-values.ts';
import { isCall, responsesCalls } from './responses-calls.ts';
import type { ResponsesAnswer, ResponsesEvent, ResponsesItem, ResponsesPart } from './responses-event.ts';
import { openItems, type OpenItem } from './responses-open-items.ts';
import { partKind, partPlace, type PartKind } from './responses-part.ts';
import { responsesTelling } from './responses-telling.ts';

/** The output of one answer, told to the turn as it comes: in pieces, whole, or whole behind its pieces. */
export interface ResponsesOutput {
  /** An item begins. */
  added(event: ResponsesEvent): void;
  /** A part of an item goes on. */
  piece(kind: PartKind, event: ResponsesEvent): void;
  /** A part of an item is whole. */
  part(kind: PartKind | undefined, event: ResponsesEvent, part: ResponsesPart): void;
  /** A call goes on. */
  writing(event: ResponsesEvent): void;
  /** The arguments of a call are whole. */
  written(event: ResponsesEvent): void;
  /** An item is whole. */
  done(event: ResponsesEvent): void;
  /** The answer is over: what did not come before is told. */
  over(answer: ResponsesAnswer, isCut: boolean): void;
  /** Whether the server says of a call that it was cut. */
  hasCutCall(): boolean;
  hasBegun(): boolean;
  /** Whether everything that began has been told as whole. */
  isDone(): boolean;
}

export function responsesOutput(turn: Turn): ResponsesOutput {
  const items = openItems();
  const telling = responsesTelling(turn);
  const calls = responsesCalls(turn);

  const open = (event: ResponsesEvent): OpenItem => {
    telling.silence();
    turn.blockBegan();
    const opened = items.open(event);
    if (opened.item) begin(opened, opened.item);
    return opened;
  };
  const begin = (opened: OpenItem, item: ResponsesItem) => {
    opened.item = item;
    if (isCall(item)) calls.begin(opened, item);
    else keep(opened, item);
  };
  const current = (event: ResponsesEvent) => items.find(event) ?? open(event);
  const keep = (opened: OpenItem, { type }: ResponsesItem) => {
    if (opened.keep || type === 'message') return;
    telling.silence();
    opened.keep = turn.keep({});
  };
  const finishMessage = (opened: OpenItem, { content }: ResponsesItem) => {
    parts(content).forEach((part, place) => telling.whole(partKind(part), opened, place, part));
    telling.silence();
  };
  const finishReasoning = (opened: OpenItem, { summary, content }: ResponsesItem) => {
    // Some servers have the same thoughts in both, and tell only one of them in pieces.
    if (opened.contents === 0) parts(summary).forEach((part, place) => telling.whole('summary', opened, place, part));
    if (opened.summaries === 0) parts(content).forEach((part, place) => telling.whole('thought', opened, place, part));
  };
  const finish = (opened: OpenItem, item: ResponsesItem, isCut = false) => {
    const isBegun = isCall(opened.item);
    opened.isDone = true;
    opened.item = item;
    if (isCall(item)) return calls.finish(opened, item, isBegun, isCut);
    keep(opened, item);
    opened.keep?.(item);
    if (item.type === 'message') finishMessage(opened, item);
    if (item.type === 'reasoning') finishReasoning(opened, item);
  };
  const amend = (opened: OpenItem, item: ResponsesItem, isCut: boolean) => {
    if (!opened.isDone) finish(opened, item, isCut);
    // Reasoning can't go back without it, and some servers tell it last.
    else if (!opened.item?.encrypted_content) opened.keep?.((opened.item = { ...opened.item, ...item }));
  };

  return {
    added(event) {
      const known = items.find(event);
      // Its pieces may have come before it.
      if (known && !known.item && !known.isDone && event.item) begin(known, event.item);
      else if (!isSame(known?.item, event.item)) open(event);
    },
    piece(kind, event) {
      const { delta } = event;
      if (isText(delta)) telling.piece(kind, current(event), partPlace(kind, event), delta);
    },
    part: (kind, event, part) => telling.whole(kind, current(event), partPlace(kind ?? 'text', event), part),
    writing: (event) => calls.writing(current(event), event),
    written: (event) => calls.written(current(event), event),
    done(event) {
      const opened = current(event);
      if (event.item && !opened.isDone) finish(opened, event.item);
    },
    over({ output }, isCut) {
      const isFirst = items.isEmpty();
      const hadText = telling.hasText();
      const isLost = (item: ResponsesItem) =>
        isFirst || (item.type === 'message' ? !hadText : isCall(item) && !items.hasCall(item.call_id));
      list<ResponsesItem>(output ?? []).forEach((item, place) => {
        const known = items.at(place);
        if (known && (!known.item || known.item.type === item.type)) amend(known, item, isCut);
        else if (isLost(item)) finish(open({ item, ...(!known && { output_index: place }) }), item, isCut);
      });
      items.all().forEach(calls.leave);
      telling.silence();
    },
    hasCutCall: calls.hasCut,
    hasBegun: () => !items.isEmpty(),
    isDone: () => !items.isEmpty() && items.all().every(({ isDone }) => isDone),
  };
}

function isSame(known: ResponsesItem | undefined, told: ResponsesItem | null | undefined): boolean {
  return known !== undefined && known.type === told?.type && known.id === told?.id && known.call_id === told?.call_id;
}

function parts(value: unknown): readonly ResponsesPart[] {
  return list<ResponsesPart>(value ?? []);
}
