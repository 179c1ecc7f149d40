import { kindTexts, type BarKind, type MarkKind } from '../layout/kinds.ts';
import { drawBar } from './bars.ts';
import { estimatedWidth } from './estimated-width.ts';
import { drawMark } from './marks.ts';
import { sizes } from './style.ts';
import { element, escaped } from './xml.ts';

const swatch = 22;
const gap = 18;
const lineHeight = 22;

const marks: Readonly<Record<MarkKind, true>> = {
  progress: true,
  ok: true,
  error: true,
  cancelled: true,
  denied: true,
  undone: true,
  notUndone: true,
  retry: true,
  restart: true,
};

const isMark = (kind: BarKind | MarkKind): kind is MarkKind => kind in marks;

/** What occurs in a drawing, in as many lines as it takes. */
export function drawLegend(kinds: readonly (BarKind | MarkKind)[], left: number, right: number, top: number) {
  let x = left;
  let y = top + lineHeight / 2;
  const drawn = kinds.map((kind) => {
    const text = kindTexts[kind];
    const sign = isMark(kind) ? 14 : swatch;
    const width = sign + 6 + estimatedWidth(text, sizes.note, 'sans');
    if (x > left && x + width > right) {
      x = left;
      y += lineHeight;
    }
    const shape = isMark(kind)
      ? drawMark(kind, x + 7, y, true)
      : drawBar(
          kind,
          x,
          x + swatch,
          y,
          [4, 8, 12, 17].map((place) => x + place),
        );
    const label = element('text', { x: x + sign + 6, y: y + sizes.note * 0.35 }, escaped(text));
    x += width + gap;
    return shape + label;
  });
  return { drawn: drawn.join(''), bottom: y + lineHeight / 2 };
}
