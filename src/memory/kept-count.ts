import type { ChatMessage } from '../chat/message.ts';
import { isSaid } from './is-said.ts';

/**
 * How many messages of a batch, from its beginning, a store has kept though it said that it failed.
 *
 * @param read - What it holds now.
 * @param known - What it held before the batch. The same may have been said then: it is looked for behind that.
 */
export function keptCount(read: readonly ChatMessage[], known: readonly ChatMessage[], batch: readonly ChatMessage[]): number {
  const fresh = behind(read, known.map(marked));
  const marks = batch.map(marked);
  const isAt = (place: number, count: number) => isSaid(fresh.slice(place, place + count), marks.slice(0, count));
  // In its place, or, where others have written first, behind them. There, one message alone may as well be theirs.
  for (let count = Math.min(fresh.length, marks.length); count > 0; count--) if (isAt(0, count)) return count;
  if (marks.length > 1 && fresh.some((_, place) => isAt(place, marks.length))) return marks.length;
  for (let count = Math.min(fresh.length, marks.length); count > 1; count--) if (isAt(fresh.length - count, count)) return count;
  return 0;
}

/** What became of a result later is another matter. */
const marked = (message: ChatMessage): unknown => (message.role === 'tool' ? { role: message.role, id: message.id } : message);

/** What follows the known messages, of which a window may have let go of some since. */
function behind(read: readonly ChatMessage[], known: readonly unknown[]): readonly ChatMessage[] {
  for (let gone = 0; gone < known.length; gone++) {
    const left = known.length - gone;
    if (isSaid(read.slice(0, left), known.slice(gone))) return read.slice(left);
  }
  return read;
}
