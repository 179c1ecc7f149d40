import type { ApprovalDecision } from './options.ts';
import type { Run } from './run.ts';

/** One call that has not ended, as it can be reached from outside. Both tell whether they took effect. */
export interface CallHandle {
  cancel(): boolean;
  decide(decision: ApprovalDecision): boolean;
}

/** What those who start an invocation hold in their hands, over and above what any caller may say. */
export interface Controls {
  readonly id?: string;
  /** What cancels the subscription that begins. */
  readonly cancellation?: () => AbortSignal;
  /** Where calls are put while they can be reached, by id. */
  readonly calls?: Map<string, CallHandle>;
  /** Whether nobody has been shown the text of a round in a way that can't be taken back. */
  readonly mayRetract?: (round: number) => boolean;
  /** This one is a tool of another invocation, which undoes what its tools have done. */
  readonly undoes?: boolean;
  readonly onRun?: (run: Run) => void;
}
