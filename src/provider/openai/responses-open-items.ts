import { wireIndex } from '../wire-values.ts';
import type { ResponsesEvent, ResponsesItem } from './responses-event.ts';

/** One item of the output while it streams, and how much of it was told: what comes whole behind its pieces is not told again. */
export interface OpenItem {
  /** Its place in the output. */
  readonly place: number;
  /** What the server has told of it as a whole: at its beginning, then at its end; nothing while only pieces have come. */
  item: ResponsesItem | undefined;
  /** How many parts of its content have been told, the last perhaps not to its end, and how many of its summary. */
  contents: number;
  summaries: number;
  /** All that was told of its content and of its summary. */
  said: string;
  summed: string;
  /** The arguments of a call as far as they have come. */
  written: string;
  /** The name of a call that its pieces tell. */
  name: string | undefined;
  hasPieces: boolean;
  isRefusal: boolean;
  isDone: boolean;
  /** Puts what goes back of it in the place where it began, which is empty until the item is whole. Messages and calls have none. */
  keep: ((item: ResponsesItem) => void) | undefined;
}

/** The items of one answer, by their place. */
export interface OpenItems {
  /** The item that an event is about, if it has begun. */
  find(event: ResponsesEvent): OpenItem | undefined;
  open(event: ResponsesEvent): OpenItem;
  at(place: number): OpenItem | undefined;
  hasCall(callId: unknown): boolean;
  isEmpty(): boolean;
  all(): readonly OpenItem[];
}

export function openItems(): OpenItems {
  const byPlace = new Map<number, OpenItem>();
  /** For servers that leave out the place; others change an item's id from event to event. */
  const places = new Map<string, number>();
  /** The item spoken of last, which nearly every event is about. */
  let latest: OpenItem | undefined;
  let next = 0;

  const placeOf = ({ output_index, item_id, call_id, item }: ResponsesEvent) =>
    wireIndex(output_index) ?? places.get(item_id ?? item?.id ?? '') ?? places.get(call_id ?? item?.call_id ?? '');
  /** Without place and known id, it is about the latest, if that goes on. */
  const openLatest = ({ item }: ResponsesEvent) => (latest && !latest.isDone && fits(latest, item) ? latest : undefined);

  return {
    find(event) {
      if (latest && event.output_index === latest.place) return latest;
      const place = placeOf(event);
      const found = place === undefined ? openLatest(event) : byPlace.get(place);
      latest = found ?? latest;
      return found;
    },
    open(event) {
      const place = wireIndex(event.output_index) ?? next;
      next = Math.max(next, place + 1);
      latest = openItem(place, event.item ?? undefined);
      byPlace.set(place, latest);
      for (const id of [event.item_id, event.item?.id, event.call_id, event.item?.call_id]) if (id) places.set(id, place);
      return latest;
    },
    at: (place) => byPlace.get(place),
    hasCall: (callId) => [...byPlace.values()].some(({ item }) => item?.call_id === callId),
    isEmpty: () => byPlace.size === 0,
    all: () => [...byPlace.values()],
  };
}

/** Whether an item can be the one of which so far only these pieces, or this beginning, have come. */
function fits({ item, written }: OpenItem, told: ResponsesItem | null | undefined): boolean {
  if (!told) return true;
  if (!item) return (told.type === 'function_call') === (written !== '');
  return item.type === told.type && (!item.call_id || !told.call_id || item.call_id === told.call_id);
}

function openItem(place: number, item: ResponsesItem | undefined): OpenItem {
  return {
    place,
    item,
    contents: 0,
    summaries: 0,
    said: '',
    summed: '',
    written: '',
    name: undefined,
    hasPieces: false,
    isRefusal: false,
    isDone: false,
    keep: undefined,
  };
}
