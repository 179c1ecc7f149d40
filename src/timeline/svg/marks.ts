import type { MarkKind } from '../layout/kinds.ts';
import { element } from './xml.ts';

export const radius = 7;

/** What stands in the circle of a mark, around 0. */
const signs: Readonly<Record<Exclude<MarkKind, 'progress'>, string>> = {
  ok: 'M-3 .2L-.9 2.4L3.1-2.2',
  error: 'M-2.4-2.4L2.4 2.4M2.4-2.4L-2.4 2.4',
  cancelled: 'M-1.1-1.1H1.1V1.1H-1.1Z',
  denied: 'M-3.4 0H3.4',
  undone: 'M-3-.7C-1.4-3.2 3.2-3 3.2 1.9M-3.3-3.1V-.6H-.7',
  notUndone: 'M0-3.4V.6M0 3.1V3.2',
  retry: 'M3-1A3.1 3.1 0 1 0 3 1.2M3.2-3.2V-.9H1',
  restart: 'M-3-1A3.1 3.1 0 1 1-3 1.2M-3.2-3.2V-.9H-1',
};

export function drawMark(kind: MarkKind, x: number, y: number, isAlone = false): string {
  if (kind === 'progress') return element('circle', { class: isAlone ? 'progress-alone' : 'progress', cx: x, cy: y, r: 2.2 });
  const place = `translate(${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10})`;
  return element(
    'g',
    { transform: place },
    element('circle', { class: `mark mark-${kind}`, r: radius }),
    element('path', { class: 'sign', d: signs[kind] }),
  );
}
