/** One execution of a tool, written down by the tool itself. */
export interface ToolRun {
  readonly tool: string;
  readonly callId: string;
  /** Where the server has written its call: the later, the greater. `undefined`: that can't be known. */
  readonly place: number | undefined;
  /** What its result says when it has worked. */
  readonly text: string;
  /** In which request's round it runs: counted by the requests that were issued. */
  readonly round: number;
  readonly isUndoable: boolean;
  readonly signal: AbortSignal;
  /** When it is out of time, or may be so on a slow machine: by `performance.now()`. */
  readonly lateFrom: number;
  /** Whether it took so long that it may have been given up before. */
  isLate: boolean;
  /** Whether it took so long that nobody may have waited for it any more: on a busy machine whose timers come late. */
  isTooLate: boolean;
  /** Its call was cancelled by hand while it ran. Where it may have to be undone it goes on, and the model hears of the cancel alone. */
  isStopped: boolean;
  /** `left`: its stream was unsubscribed from. */
  outcome: 'running' | 'succeeded' | 'failed' | 'left';
  undos: number;
}

/** How an invocation, or one subscription to it, has ended: for whoever subscribed, and by its last event. */
export type Ending = 'completed' | 'error' | 'cancelled';

/** What is known of one round of an invocation. */
export interface RoundRecord {
  /** `maybe`: a call was stopped by a limit, which blames a tool or nobody. */
  hasCulprit: boolean | 'maybe';
}

/** What happened in one invocation, as its tools, its subscriber and those who look on saw it. */
export interface Ledger {
  readonly runs: ToolRun[];
  readonly rounds: RoundRecord[];
  /** The terminal events, in order; and after how many rounds each came. */
  readonly ends: { readonly ending: Ending; readonly rounds: number }[];
  /** What each subscriber was told last; `left`: it has gone before. */
  readonly notified: (Ending | 'left')[];
  summaries: number;
  starts: number;
  /** What must not be, noted where it was seen. */
  readonly violations: string[];
  /** The text of the answer, where the way of asking tells it whole. */
  answer: string | null | undefined;
  /** Whether a limit or a person has had a word in it, so that the answer need not be the model's last one. */
  isAnswerBent: boolean;
}

export function newLedger(): Ledger {
  return {
    runs: [],
    rounds: [],
    ends: [],
    notified: [],
    summaries: 0,
    starts: 0,
    violations: [],
    answer: undefined,
    isAnswerBent: false,
  };
}
