import type { BarKind } from '../layout/kinds.ts';
import { element } from './xml.ts';

const barHeight = 14;

/** Narrower than this a bar could not be seen. */
const leastWidth = 3;

/** Kinds that are a line and no bar. */
const lines: ReadonlySet<BarKind> = new Set(['request', 'delay', 'standing']);

/** Pieces that lie closer than this are drawn as one. */
const pieceGap = 3;

/** Draws a stretch between two places, around `y`; `pieces` are the places in which its pieces came. */
export function drawBar(kind: BarKind, from: number, to: number, y: number, pieces: readonly number[] = []): string {
  if (lines.has(kind)) {
    return to - from < 1 ? '' : element('line', { class: `line-${kind}`, x1: from, x2: to, y1: y, y2: y });
  }
  const width = Math.max(leastWidth, to - from);
  const bar = element('rect', {
    class: `bar-${kind}`,
    x: from,
    y: y - barHeight / 2,
    width,
    height: barHeight,
    rx: Math.min(3, width / 2),
  });
  if (kind === 'dropped') return bar + element('line', { class: 'line-dropped', x1: from, x2: from + width, y1: y, y2: y });
  const shown = kind === 'text' || kind === 'thought' ? drawPieces(kind, from, from + width, y, pieces) : '';
  return bar + shown;
}

function drawPieces(kind: BarKind, from: number, to: number, y: number, pieces: readonly number[]): string {
  let path = '';
  let last = -Infinity;
  for (const place of pieces) {
    // Inside of the bar, with its round corners.
    const x = Math.min(Math.max(place, from + 1), to - 1);
    if (x - last < pieceGap) continue;
    path += `M${Math.round(x * 10) / 10} ${y - 4}v8`;
    last = x;
  }
  return path && element('path', { class: `pieces-${kind}`, d: path });
}
