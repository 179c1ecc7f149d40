import type { Layout, RoundBand } from '../layout/layout.ts';
import { ticksOf } from '../layout/ticks.ts';
import { estimatedWidth } from './estimated-width.ts';
import type { Scale } from './lane.ts';
import { sizes } from './style.ts';
import { element, escaped } from './xml.ts';

/** px that a label of the axis needs, with some air. */
const tickRoom = 72;

/** The times with their lines, from the labels at `y` down to `bottom`. */
export function drawAxis(span: number, scale: Scale, y: number, bottom: number): string {
  const most = Math.floor((scale.right - scale.left) / tickRoom);
  return ticksOf(span, most)
    .map(({ at, label }) => {
      const x = scale.x(at);
      const line = element('line', { class: 'grid', x1: x, x2: x, y1: y + 6, y2: bottom });
      return line + element('text', { class: 'tick', x, y, 'text-anchor': at === 0 ? 'start' : 'middle' }, escaped(label));
    })
    .join('');
}

/** Rounds that are narrower are not drawn one by one. */
const leastBand = 4;

/** A band behind all lanes for each round, and its number where there is room: over the axis, which is over the bands. */
export function drawRounds({ rounds, span }: Layout, scale: Scale, top: number, bottom: number) {
  const bands = bandsOf(rounds, span, scale);
  const nameOf = ({ number, isDropped }: RoundBand) => `${number}${isDropped ? ' (dropped)' : ''}`;
  const fits = (text: string, width: number) => estimatedWidth(text, sizes.small, 'bold') + 10 <= width;
  // All in the same words.
  const areRoomy = bands.every(({ round, width }) => fits(`round ${nameOf(round)}`, width));
  const labels = bands.map(({ round, left, width }) => {
    const forms = areRoomy ? [`round ${nameOf(round)}`] : [nameOf(round), `${round.number}`];
    const text = forms.find((form) => fits(form, width));
    return text === undefined ? '' : element('text', { class: 'round', x: left + 6, y: top + 15 }, escaped(text));
  });
  const drawn = bands.map(({ left, width }) =>
    element('rect', { class: 'band', x: left, y: top, width, height: bottom - top, rx: 4 }),
  );
  return { bands: drawn.join(''), labels: labels.join('') };
}

interface Band {
  readonly round: RoundBand;
  readonly left: number;
  readonly width: number;
}

function bandsOf(rounds: readonly RoundBand[], span: number, scale: Scale): readonly Band[] {
  let last = -Infinity;
  return rounds.flatMap((round, place) => {
    const left = scale.x(round.start);
    // The last one reaches as far as the marks behind its end.
    const right = place === rounds.length - 1 && round.end >= span ? scale.right : scale.x(round.end) - 2;
    if (right - left < leastBand || left < last) return [];
    last = right;
    return [{ round, left, width: right - left }];
  });
}
