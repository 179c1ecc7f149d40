export type Tone = 'plain' | 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'magenta' | 'cyan';

/** What switches a tone on and off again in a terminal. */
const codes: Readonly<Record<Exclude<Tone, 'plain'>, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  magenta: [35, 39],
  cyan: [36, 39],
};

export type Paint = (tone: Tone, text: string) => string;

export const paintNothing: Paint = (_, text) => text;

export const paintTones: Paint = (tone, text) => {
  if (tone === 'plain' || !text.trim()) return text;
  const [on, off] = codes[tone];
  return `\u001b[${on}m${text}\u001b[${off}m`;
};
