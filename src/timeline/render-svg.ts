import { checkCount, checkKnownOptions, invalidOption } from '../chat/option-checks.ts';
import { layoutOf, type Lane, type Layout } from './layout/layout.ts';
import { drawAxis, drawRounds } from './svg/axis.ts';
import { describe } from './svg/describe.ts';
import { cutToSize, estimatedWidth, type Font } from './svg/estimated-width.ts';
import { drawLane, type Scale } from './svg/lane.ts';
import { drawLegend } from './svg/legend.ts';
import { radius } from './svg/marks.ts';
import { sizes, styleOf, type Theme } from './svg/style.ts';
import { element, escaped } from './svg/xml.ts';
import type { Timeline } from './timeline.ts';

export interface RenderSvgOptions {
  /** Light, dark, or what the reader has set: `auto`, the default. */
  readonly theme?: Theme | undefined;
  /** Instead of the service's name. */
  readonly title?: string | undefined;
  /** px, from 320 up; 860 by default. */
  readonly width?: number | undefined;
  /** How many lanes the calls get at most; one of them is for all that have none of their own. 40 by default. */
  readonly maxCalls?: number | undefined;
}

const margin = 20;
const rowHeight = 25;

/**
 * Draws a timeline as a picture that needs nothing else: no script, no font, no other file. Whatever names and texts hold, it is
 * drawn as text.
 *
 * Throws a `ConfigurationError` when the options can't work.
 *
 * @example
 * writeFileSync('invocation.svg', renderSvg(recorder.timeline(), { title: 'A bank transfer' }));
 */
export function renderSvg(timeline: Timeline, options: RenderSvgOptions = {}): string {
  checkKnownOptions('renderSvg', options, ['theme', 'title', 'width', 'maxCalls']);
  const { theme = 'auto', title, width = 860, maxCalls = 40 } = options;
  if (!['auto', 'light', 'dark'].includes(theme))
    throw invalidOption('renderSvg', 'theme', theme, 'it must be auto, light or dark');
  checkCount('renderSvg', 'width', width, 320);
  checkCount('renderSvg', 'maxCalls', maxCalls, 1);
  const layout = layoutOf(timeline, maxCalls, title);
  const lanes = [layout.model, ...layout.calls];
  const labelWidth = Math.min(
    width * 0.28,
    Math.max(...lanes.map(({ label }) => estimatedWidth(label.slice(0, 99), sizes.label, 'mono'))),
  );
  const scale = scaleOf(layout.span, margin + labelWidth + 14, width - margin);

  const header = drawHeader(layout, width);
  const axis = header.bottom + 20;
  const top = axis + 10;
  const first = top + 36;
  const bottom = first + (lanes.length - 0.5) * rowHeight;
  const rounds = drawRounds(layout, scale, top, bottom);
  const legend = drawLegend(layout.kinds, margin, width - margin, bottom + 14);
  const height = Math.ceil(legend.bottom + margin - 6);
  const row = (lane: Lane, place: number) => drawRow(lane, place === 0, labelWidth, scale, first + place * rowHeight);
  const { name, description } = describe(layout);
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      class: `toolstream-${theme}`,
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
    },
    element('title', {}, escaped(name)),
    element('desc', {}, escaped(description)),
    element('style', {}, styleOf(theme)),
    element('rect', { class: 'ground', x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: 8 }),
    header.drawn,
    rounds.bands,
    drawAxis(layout.span, scale, axis, bottom),
    rounds.labels,
    ...lanes.map(row),
    legend.drawn,
  );
}

function scaleOf(span: number, left: number, right: number): Scale {
  // The marks behind the end of everything need room, too.
  const room = right - left - 2 * radius - 4;
  return { left, right, x: (at) => left + Math.min(1, Math.max(0, at / span)) * room };
}

function drawHeader(
  { title, headline, problem, status }: Layout,
  width: number,
): { readonly drawn: string; readonly bottom: number } {
  const marks = { completed: 'ok', failed: 'error', cancelled: 'cancelled', running: 'running' } as const;
  const line = (text: string, size: number, y: number, kind: string, x = margin, font: Font = 'sans') =>
    element('text', { class: kind, x, y }, escaped(cutToSize(text, width - margin - x, size, font)));
  const drawn = [
    line(title, sizes.title, 32, 'title strong', margin, 'bold'),
    element('circle', { class: `mark-${status === 'running' ? 'running' : marks[status]}`, cx: margin + 4, cy: 50, r: 4 }),
    line(headline, sizes.text, 54, 'headline', margin + 14),
    ...(problem ? [line(problem, sizes.text, 74, 'problem')] : []),
  ];
  return { drawn: drawn.join(''), bottom: problem ? 78 : 58 };
}

function drawRow(lane: Lane, isModel: boolean, labelWidth: number, scale: Scale, y: number): string {
  const label = cutToSize(lane.label, labelWidth, sizes.label, 'mono');
  const tip = lane.tip.slice(0, 2000).split('\n').map(escaped).join('\n');
  return element(
    'g',
    {},
    ...(tip ? [element('title', {}, tip)] : []),
    element(
      'text',
      { class: isModel ? 'label strong model' : 'label strong', x: margin, y: y + sizes.label * 0.35 },
      escaped(label),
    ),
    drawLane(lane, scale, y),
  );
}
