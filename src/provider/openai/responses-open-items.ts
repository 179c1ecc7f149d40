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
  hasArguments: boolean;
  isRefusal: boolean;
  isDone: boolean;
  /** What goes back of it, from the place where it began; empty until the item is whole. Messages and calls have none. */
  kept: Record<string, unknown> | undefined;
}

/** The items of one answer, by their place. */
export interface OpenItems {
  /** The item that an event is about, if it has begun. */
  find(event: ResponsesEvent): OpenItem | undefined;
  open(event: ResponsesEvent): OpenItem;
  at(place: number): OpenItem | undefined;
  hasCall(callId: unknown): boolean;
  isEmpty(): boolean;
}

export function openItems(): OpenItems {
  const byPlace = new Map<number, OpenItem>();
  /** For servers that leave out the place; others change an item's id from event to event. */
  const places = new Map<string, number>();
  /** The item spoken of last, which nearly every event is about. */
  let latest: OpenItem | undefined;
  let next = 0;

  const idOf = ({ item_id, item }: ResponsesEvent) => item_id ?? item?.id ?? '';
  /** Without place and known id, it is about the latest, if that goes on. */
  const openLatest = ({ item }: ResponsesEvent) =>
    latest && !latest.isDone && (!item || item.type === latest.item?.type) ? latest : undefined;

  return {
    find(event) {
      if (latest && event.output_index === latest.place) return latest;
      const place = wireIndex(event.output_index) ?? places.get(idOf(event));
      const found = place === undefined ? openLatest(event) : byPlace.get(place);
      latest = found ?? latest;
      return found;
    },
    open(event) {
      const place = wireIndex(event.output_index) ?? next;
      next = Math.max(next, place + 1);
      latest = openItem(place, event.item ?? undefined);
      byPlace.set(place, latest);
      places.set(idOf(event), place);
      return latest;
    },
    at: (place) => byPlace.get(place),
    hasCall: (callId) => [...byPlace.values()].some(({ item }) => item?.call_id === callId),
    isEmpty: () => byPlace.size === 0,
  };
}

function openItem(place: number, item: ResponsesItem | undefined): OpenItem {
  return {
    place,
    item,
    contents: 0,
    summaries: 0,
    hasArguments: false,
    isRefusal: false,
    isDone: false,
    kept: undefined,
  };
}
