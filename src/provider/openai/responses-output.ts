import type { Turn } from '../turn.ts';
import { isText, list, wireText } from '../wire-values.ts';
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
}

export function responsesOutput(turn: Turn): ResponsesOutput {
  const items = openItems();
  const telling = responsesTelling(turn);
  let hasCutCall = false;

  const open = (event: ResponsesEvent): OpenItem => {
    telling.silence();
    turn.blockBegan();
    const opened = items.open(event);
    const { item } = opened;
    if (item?.type === 'function_call') call(opened, item);
    else if (item) keep(opened, item);
    return opened;
  };
  const current = (event: ResponsesEvent) => items.find(event) ?? open(event);
  const keep = (opened: OpenItem, { type }: ResponsesItem) => {
    if (opened.kept || type === 'message') return;
    telling.silence();
    turn.keep((opened.kept = {}));
  };
  const call = (opened: OpenItem, item: ResponsesItem) => {
    const extra = callExtra(item);
    turn.call({ index: opened.place, id: wireText(item.call_id), name: wireText(item.name) });
    if (Object.keys(extra).length > 0) turn.mark(extra);
    write(opened, item.arguments);
  };
  const write = (opened: OpenItem, written: unknown) => {
    const piece = typeof written === 'object' && written !== null ? JSON.stringify(written) : written;
    if (!isText(piece)) return;
    opened.hasArguments = true;
    turn.call({ index: opened.place, arguments: piece });
  };
  const finishCall = (opened: OpenItem, { arguments: written, status }: ResponsesItem, isCut: boolean) => {
    if (!opened.hasArguments) write(opened, written);
    // What the limit cut is told as done too.
    if (status === 'incomplete') hasCutCall = true;
    else if (!isCut) turn.callEnded(opened.place);
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
    opened.isDone = true;
    opened.item = item;
    if (item.type === 'function_call') return finishCall(opened, item, isCut);
    keep(opened, item);
    if (opened.kept) Object.assign(opened.kept, item);
    if (item.type === 'message') finishMessage(opened, item);
    if (item.type === 'reasoning') finishReasoning(opened, item);
  };
  const amend = (opened: OpenItem, item: ResponsesItem, isCut: boolean) => {
    if (!opened.isDone) finish(opened, item, isCut);
    // Reasoning can't go back without it, and some servers tell it last.
    else if (opened.kept && !opened.kept['encrypted_content']) Object.assign(opened.kept, item);
  };

  return {
    added(event) {
      const known = items.find(event)?.item;
      const isRepeated = known && known.type === event.item?.type && known.id === event.item?.id;
      if (!isRepeated) open(event);
    },
    piece(kind, event) {
      const { delta } = event;
      if (isText(delta)) telling.piece(kind, current(event), partPlace(kind, event), delta);
    },
    part: (kind, event, part) => telling.whole(kind, current(event), partPlace(kind ?? 'text', event), part),
    writing: (event) => write(current(event), event.delta),
    written(event) {
      const opened = current(event);
      if (!opened.hasArguments) write(opened, event.arguments);
    },
    done(event) {
      const opened = current(event);
      if (event.item && !opened.isDone) finish(opened, event.item);
    },
    over({ output }, isCut) {
      const isFirst = items.isEmpty();
      const hadText = telling.hasText();
      const isLost = (item: ResponsesItem) =>
        isFirst || (item.type === 'message' ? !hadText : item.type === 'function_call' && !items.hasCall(item.call_id));
      list<ResponsesItem>(output ?? []).forEach((item, place) => {
        const known = items.at(place);
        if (known && (!known.item || known.item.type === item.type)) amend(known, item, isCut);
        else if (isLost(item)) finish(open({ item, ...(!known && { output_index: place }) }), item, isCut);
      });
      telling.silence();
    },
    hasCutCall: () => hasCutCall,
  };
}

function parts(value: unknown): readonly ResponsesPart[] {
  return list<ResponsesPart>(value ?? []);
}

/** What goes back with a call, beside what our request tells of it. */
const callExtras: ReadonlySet<string> = new Set(['id', 'namespace', 'caller']);

function callExtra(item: ResponsesItem): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(item).filter(([key, value]) => callExtras.has(key) && value));
}
