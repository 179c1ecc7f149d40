import type { Turn } from '../turn.ts';
import { isText, wireText } from '../wire-values.ts';
import type { ResponsesEvent, ResponsesItem } from './responses-event.ts';
import type { OpenItem } from './responses-open-items.ts';

/** Tells the turn of the calls of one answer. */
export interface ResponsesCalls {
  /** The item that a call is known by has come. */
  begin(opened: OpenItem, item: ResponsesItem): void;
  /** A piece of the arguments. */
  writing(opened: OpenItem, event: ResponsesEvent): void;
  /** The arguments as a whole. */
  written(opened: OpenItem, event: ResponsesEvent): void;
  /** `isBegun`: the call was told before, and only its end is new. `isCut`: so was the answer. */
  finish(opened: OpenItem, item: ResponsesItem, isBegun: boolean, isCut: boolean): void;
  /** The answer is over: a call that was told in pieces alone is told as far as it is known. */
  leave(opened: OpenItem): void;
  /** Whether the server says of a call that it was cut. */
  hasCut(): boolean;
}

export function responsesCalls(turn: Turn): ResponsesCalls {
  let hasCut = false;

  const add = (opened: OpenItem, piece: string) => {
    opened.written += piece;
    // Until its item has come, a call has neither id nor name: its pieces wait.
    if (isCall(opened.item)) turn.call({ index: opened.place, arguments: piece });
  };
  /** Of what is whole, only that is new which its pieces have not told. */
  const addRest = (opened: OpenItem, whole: string) => {
    if (whole.length > opened.written.length && whole.startsWith(opened.written)) add(opened, whole.slice(opened.written.length));
  };
  const begin = (opened: OpenItem, item: ResponsesItem) => {
    const extra = callExtra(item);
    turn.call({ index: opened.place, id: wireText(item.call_id), name: wireText(item.name) });
    if (Object.keys(extra).length > 0) turn.mark(extra);
    if (opened.written) turn.call({ index: opened.place, arguments: opened.written });
    addRest(opened, argumentsText(item.arguments));
  };

  return {
    begin,
    writing(opened, { delta, name }) {
      opened.name ??= wireText(name);
      const piece = argumentsText(delta);
      if (piece) add(opened, piece);
    },
    written(opened, event) {
      opened.name ??= wireText(event.name);
      addRest(opened, argumentsText(event.arguments));
    },
    finish(opened, item, isBegun, isCut) {
      if (isBegun) addRest(opened, argumentsText(item.arguments));
      else begin(opened, item);
      // What the limit cut is told as done too.
      if (item.status === 'incomplete') hasCut = true;
      else if (!isCut) turn.callEnded(opened.place);
    },
    leave({ place, item, name, written }) {
      if (written && !isCall(item)) turn.call({ index: place, name, arguments: written });
    },
    hasCut: () => hasCut,
  };
}

export function isCall(item: ResponsesItem | undefined): boolean {
  return item?.type === 'function_call';
}

function argumentsText(written: unknown): string {
  if (typeof written === 'object' && written !== null) return JSON.stringify(written);
  return isText(written) ? written : '';
}

/** What goes back with a call, beside what our request tells of it. */
const callExtras: ReadonlySet<string> = new Set(['id', 'namespace', 'caller']);

function callExtra(item: ResponsesItem): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(item).filter(([key, value]) => callExtras.has(key) && value));
}
