import { isText, wireIndex } from '../wire-values.ts';

/** A piece of a block of reasoning, or such a block, as OpenRouter sends it. */
export type ReasoningDetail = Readonly<Record<string, unknown>>;

/** Puts the blocks of the reasoning together, whose pieces come with the chunks: only whole ones are taken back. */
export interface ReasoningDetails {
  /** Says what the piece adds to the thinking, which may be nothing. */
  add(piece: ReasoningDetail): string;
  isEmpty(): boolean;
  /** The blocks so far, in the order in which they began. */
  blocks(): readonly ReasoningDetail[];
}

/** What comes in pieces; of all else the last that is told holds. */
const growing: ReadonlySet<string> = new Set(['text', 'summary', 'data']);

export function reasoningDetails(): ReasoningDetails {
  const blocks: Record<string, unknown>[] = [];
  const byPlace = new Map<string, Record<string, unknown>>();

  /** The block that was spoken of last: nearly every piece goes on with it. */
  let latest: Record<string, unknown> | undefined;

  const open = (piece: ReasoningDetail) => {
    // Without a prototype, which a key of a later piece must not reach.
    latest = Object.assign(Object.create(null) as Record<string, unknown>, piece);
    blocks.push(latest);
    // Without a place it is a block of its own.
    const place = placeOf(piece);
    if (place !== undefined) byPlace.set(place, latest);
  };
  const find = (piece: ReasoningDetail) => {
    const { index, type } = piece;
    if (typeof index === 'number' && latest?.['index'] === index && latest['type'] === type) return latest;
    const place = placeOf(piece);
    return place === undefined ? undefined : byPlace.get(place);
  };

  return {
    add(piece) {
      const known = find(piece);
      if (known && !beginsBlock(piece, known)) extend((latest = known), piece);
      else open(piece);
      const { text, summary } = piece;
      return isText(text) ? text : isText(summary) ? summary : '';
    },
    isEmpty: () => blocks.length === 0,
    blocks: () => blocks.map((block) => ({ ...block })),
  };
}

function placeOf({ index, type }: ReasoningDetail): string | undefined {
  const place = wireIndex(index);
  return place === undefined ? undefined : `${place} ${String(type)}`;
}

/** Whether another block begins at the place of one: it has another id, or goes on behind the signature, which is the end. */
function beginsBlock(piece: ReasoningDetail, known: ReasoningDetail): boolean {
  if (isText(known['id']) && isText(piece['id']) && known['id'] !== piece['id']) return true;
  return isText(known['signature']) && isText(piece['text']) && piece['signature'] !== known['signature'];
}

function extend(block: Record<string, unknown>, piece: ReasoningDetail): void {
  for (const key of Object.keys(piece)) {
    const value = piece[key];
    const before = block[key];
    if (typeof value === 'string' && typeof before === 'string' && growing.has(key)) block[key] = before + value;
    else if (value !== before && (value !== null || before === undefined)) block[key] = value;
  }
}
