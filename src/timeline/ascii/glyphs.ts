import type { BarKind, MarkKind } from '../layout/kinds.ts';
import type { Tone } from './tones.ts';

interface Glyph {
  readonly sign: string;
  readonly tone: Tone;
}

/** How each kind is drawn: to be told apart without colours, too. */
export const glyphs: Readonly<Record<BarKind | MarkKind, Glyph>> = {
  retrieval: { sign: '=', tone: 'yellow' },
  request: { sign: '·', tone: 'dim' },
  delay: { sign: ':', tone: 'yellow' },
  thought: { sign: '░', tone: 'magenta' },
  text: { sign: '█', tone: 'cyan' },
  writing: { sign: '▒', tone: 'yellow' },
  dropped: { sign: '╱', tone: 'dim' },
  waiting: { sign: '╌', tone: 'dim' },
  approval: { sign: '?', tone: 'yellow' },
  running: { sign: '━', tone: 'green' },
  failing: { sign: '━', tone: 'red' },
  stopped: { sign: '━', tone: 'yellow' },
  within: { sign: '═', tone: 'green' },
  standing: { sign: '┈', tone: 'dim' },
  progress: { sign: '•', tone: 'bold' },
  ok: { sign: '✔', tone: 'green' },
  error: { sign: '✖', tone: 'red' },
  cancelled: { sign: '■', tone: 'yellow' },
  denied: { sign: '⊘', tone: 'yellow' },
  undone: { sign: '↶', tone: 'magenta' },
  notUndone: { sign: '!', tone: 'red' },
  retry: { sign: '↻', tone: 'yellow' },
  restart: { sign: '↺', tone: 'magenta' },
};

/** Where a round begins, in lanes that have nothing there. */
export const separator: Glyph = { sign: '┊', tone: 'dim' };
