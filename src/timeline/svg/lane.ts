import type { Lane } from '../layout/layout.ts';
import { drawBar } from './bars.ts';
import { cutToSize, estimatedWidth } from './estimated-width.ts';
import { drawMark, radius } from './marks.ts';
import { sizes } from './style.ts';
import { element, escaped } from './xml.ts';

/** Where the time of a drawing lies. */
export interface Scale {
  readonly left: number;
  readonly right: number;
  x(at: number): number;
}

interface Extent {
  readonly left: number;
  readonly right: number;
}

/** Draws the bars of a lane around `y`, its marks and what is said beside them. */
export function drawLane({ bars, marks, note, detail }: Lane, scale: Scale, y: number): string {
  const runs = bars.map(({ kind, start, end, pieces }) => ({ kind, from: scale.x(start), to: scale.x(end), pieces }));
  const drawn = runs.map(({ kind, from, to, pieces }) => drawBar(kind, from, to, y, pieces?.map(scale.x)));
  const solid = runs.findLast(({ kind }) => kind === 'running' || kind === 'failing' || kind === 'stopped');
  const places = marks.map(({ kind, at }) => ({ kind, x: scale.x(at) }));
  const progress = thinned(places.filter(({ kind }) => kind === 'progress').map(({ x }) => x));
  const ends = spread(places.filter(({ kind }) => kind !== 'progress'));
  const extent = {
    left: Math.min(...runs.map(({ from }) => from), ...ends.map(({ x }) => x - radius), scale.right),
    right: Math.max(...runs.map(({ to }) => to), ...ends.map(({ x }) => x + radius), scale.left),
  };
  return [
    ...drawn,
    ...progress.map((x) => drawMark('progress', x, y, !solid)),
    ...ends.map(({ kind, x }) => drawMark(kind, x, y)),
    drawNote(note, detail, scale, y, extent, progress.length > 0 ? undefined : solid),
  ].join('');
}

/** Marks of progress that can be told apart. */
function thinned(places: readonly number[]): readonly number[] {
  let last = -Infinity;
  return places.filter((x) => {
    if (x - last < 6) return false;
    last = x;
    return true;
  });
}

const ofMoment: ReadonlySet<string> = new Set(['retry', 'restart']);

/** An end stands behind what it ends, and none over another. */
function spread<Kind extends string>(places: readonly { readonly kind: Kind; readonly x: number }[]) {
  const taken: number[] = [];
  return places.map(({ kind, x: wanted }) => {
    let x = ofMoment.has(kind) ? wanted : wanted + radius + 1;
    for (const other of taken.sort((one, another) => one - another)) if (Math.abs(other - x) < 2 * radius) x = other + 2 * radius;
    taken.push(x);
    return { kind, x };
  });
}

const gap = 6;
/** As little of a detail as says anything, in px. */
const leastDetail = 60;

/** To the right of what is drawn; where there is no room, to the left of it, inside the bar, or nowhere. */
function drawNote(
  note: string,
  detail: string,
  scale: Scale,
  y: number,
  extent: Extent,
  bar?: { from: number; to: number },
): string {
  if (!note) return '';
  const baseline = y + sizes.note * 0.35;
  const width = estimatedWidth(note, sizes.note, 'sans');
  const from = extent.right + gap;
  const room = scale.right - 4 - from - width;
  if (room >= 0) {
    const more = detail && room >= leastDetail ? cutToSize(`: ${detail}`, room, sizes.note, 'sans') : '';
    return element('text', { class: 'note', x: from, y: baseline }, escaped(note + more));
  }
  if (extent.left - gap - width >= scale.left) {
    return element('text', { class: 'note', x: extent.left - gap, y: baseline, 'text-anchor': 'end' }, escaped(note));
  }
  if (!bar || bar.to - bar.from < width + 2 * gap) return '';
  return element('text', { class: 'inside', x: bar.from + gap, y: y + sizes.small * 0.36 }, escaped(note));
}
