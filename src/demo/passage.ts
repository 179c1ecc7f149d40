/** Something to be shown: text that flows on, or a line of its own. */
export type Passage =
  | { readonly type: 'text'; readonly text: string; readonly tone?: Tone }
  | {
      readonly type: 'line';
      /** ms since the beginning, where that matters. */
      readonly at?: number;
      readonly mark?: keyof typeof marks;
      readonly title: string;
      readonly detail?: string;
      /** It comes from elsewhere while the text is being written: a word that is not whole yet goes on below it. */
      readonly isAside?: boolean;
    };

export type Tone = 'plain' | 'bold' | 'dim' | 'cyan' | 'green' | 'red' | 'yellow';

/** What kind of line it is: a sign and its colour. */
export const marks = {
  round: { sign: '◆', tone: 'bold' },
  start: { sign: '▶', tone: 'cyan' },
  progress: { sign: '·', tone: 'dim' },
  end: { sign: '✔', tone: 'green' },
  failure: { sign: '✖', tone: 'red' },
  wait: { sign: '↻', tone: 'yellow' },
  ask: { sign: '?', tone: 'yellow' },
  undo: { sign: '↶', tone: 'yellow' },
  plain: { sign: ' ', tone: 'plain' },
} as const satisfies Record<string, { sign: string; tone: Tone }>;
