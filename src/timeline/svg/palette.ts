/** The colours of a theme. Those who see no red or no green tell them apart; text has a contrast of 4.5 and more. */
export interface Palette {
  readonly ground: string;
  readonly border: string;
  readonly band: string;
  readonly grid: string;
  readonly ink: string;
  readonly muted: string;
  /** Each as a stretch, and as what stands out on it. */
  readonly text: readonly [string, string];
  readonly thought: readonly [string, string];
  readonly writing: readonly [string, string];
  readonly retrieval: readonly [string, string];
  readonly waiting: readonly [string, string];
  readonly approval: readonly [string, string];
  readonly within: readonly [string, string];
  readonly ok: string;
  readonly error: string;
  readonly stopped: string;
  readonly undone: string;
  readonly attention: string;
}

export const light: Palette = {
  ground: '#ffffff',
  border: '#d8dee4',
  band: '#f6f8fa',
  grid: '#e3e7eb',
  ink: '#1f2328',
  muted: '#57606a',
  text: ['#bfdaf5', '#1f6fb5'],
  thought: ['#e0d6f0', '#7a5aa6'],
  writing: ['#f0c869', '#8a5a00'],
  retrieval: ['#cfe5e8', '#2f7681'],
  waiting: ['#eef1f4', '#96a0ab'],
  approval: ['#fdf2d8', '#b07d09'],
  within: ['#cfeae2', '#0f7d66'],
  ok: '#0f7d66',
  error: '#c2410c',
  stopped: '#66717d',
  undone: '#8f4a8b',
  attention: '#8a5a00',
};

export const dark: Palette = {
  ground: '#0d1117',
  border: '#30363d',
  band: '#161b22',
  grid: '#272e37',
  ink: '#e6edf3',
  muted: '#9aa4af',
  text: ['#1c4168', '#7cb9f2'],
  thought: ['#3b3058', '#bba6e6'],
  writing: ['#8f6d17', '#f2cc60'],
  retrieval: ['#173d45', '#6cc0cc'],
  waiting: ['#1d242d', '#5d6874'],
  approval: ['#382c10', '#d1a02c'],
  within: ['#143b33', '#43ba98'],
  ok: '#43ba98',
  error: '#f47c50',
  stopped: '#8b949e',
  undone: '#d796d2',
  attention: '#e3b341',
};
