import type { WriteStream } from 'node:tty';
import type { Tone } from './passage.ts';

export type Paint = (tone: Tone, text: string) => string;

/** What switches a tone on and off again in a terminal. */
const codes: Readonly<Record<Exclude<Tone, 'plain'>, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

const unpainted: Paint = (_, text) => text;

const painted: Paint = (tone, text) => {
  if (tone === 'plain' || !text) return text;
  const [on, off] = codes[tone];
  return `\u001b[${on}m${text}\u001b[${off}m`;
};

type Terminal = Partial<Pick<WriteStream, 'isTTY' | 'hasColors'>>;

/** Whether it is a terminal that has colours, and whose user has not said NO_COLOR; not a pipe or a file. */
export function hasColors(stream: Terminal, env: NodeJS.ProcessEnv): boolean {
  return Boolean(stream.isTTY && stream.hasColors?.(16, env));
}

export function paintFor(stream: Terminal, env: NodeJS.ProcessEnv): Paint {
  return hasColors(stream, env) ? painted : unpainted;
}
