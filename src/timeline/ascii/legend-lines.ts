import { kindTexts } from '../layout/kinds.ts';
import type { Layout } from '../layout/layout.ts';
import { glyphs } from './glyphs.ts';
import type { Paint } from './tones.ts';

const gap = 3;

/** What the signs mean that occur, in as many lines as it takes. */
export function legendLines({ kinds }: Layout, width: number, paint: Paint): readonly string[] {
  const lines: string[] = [];
  let used = Infinity;
  for (const kind of kinds) {
    const { sign, tone } = glyphs[kind];
    const text = kindTexts[kind];
    const needed = text.length + 2;
    // Rather not told than told by half.
    if (needed > width) continue;
    const entry = `${paint(tone, sign)} ${paint('dim', text)}`;
    if (used + gap + needed > width) {
      lines.push(entry);
      used = needed;
    } else {
      lines[lines.length - 1] += ' '.repeat(gap) + entry;
      used += gap + needed;
    }
  }
  return lines;
}
