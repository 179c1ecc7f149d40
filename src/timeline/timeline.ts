import type { CompensationReason } from '../tool/types.ts';

/** What came of a call. `unfinished`: it had not ended when the record was made, or never began. */
export type CallOutcome = 'ok' | 'error' | 'cancelled' | 'denied' | 'unfinished';

/** One invocation on a line of time: plain JSON. All times are in ms since its start. */
export interface Timeline {
  /** Of this form. It grows when a reader of the old form could no longer read it. */
  readonly version: 1;
  readonly invocationId?: string;
  readonly serviceName?: string;
  readonly status: 'running' | 'completed' | 'failed' | 'cancelled';
  /** When it ended. What is undone after a cancel comes later. */
  readonly end?: number;
  /** Why it failed. */
  readonly error?: string;
  /** To the last thing that was recorded; while it runs, to the moment of the snapshot. */
  readonly duration: number;
  readonly retrieval?: { readonly at: number; readonly contents: number };
  /** Failures behind which the invocation went on, as with `retry()`. */
  readonly failures: readonly { readonly at: number; readonly error: string }[];
  /** In order. One that was restarted is followed by another of the same number. */
  readonly rounds: readonly TimelineRound[];
  /** In the order in which the model began to write them. */
  readonly calls: readonly TimelineCall[];
}

/** One request to the model, and its answer. */
export interface TimelineRound {
  /** Counted from 1. */
  readonly number: number;
  /** When the request went out; where only the stream was watched, when all before it had ended. */
  readonly start: number;
  /** When the answer was whole. */
  readonly answered?: number;
  readonly end?: number;
  readonly finishReason?: string;
  readonly segments: readonly TimelineSegment[];
  readonly retries: readonly TimelineRetry[];
  /** What it had streamed was dropped. */
  readonly restarted?: { readonly at: number; readonly reason: string };
}

/** Text or thoughts without a break of another kind. */
export interface TimelineSegment {
  readonly type: 'text' | 'thought';
  readonly start: number;
  readonly end: number;
  /** As `length` counts them. */
  readonly characters: number;
  /** Its beginning. */
  readonly text: string;
  /** When it came. Of a long text neighbours are one piece. */
  readonly pieces: readonly { readonly at: number; readonly characters: number }[];
}

/** The request failed at `at` and went out again `delay` ms later. */
export interface TimelineRetry {
  readonly at: number;
  readonly attempt: number;
  readonly delay: number;
  readonly reason: string;
}

/** One tool call, from the model's first word of it. */
export interface TimelineCall {
  readonly id: string;
  readonly name: string;
  /** The round that it belongs to, by number. */
  readonly round: number;
  /** From its first piece to the moment in which it was complete. */
  readonly written: { readonly start: number; readonly end?: number };
  readonly approval?: { readonly asked: number; readonly answered?: number; readonly approved?: boolean };
  readonly start?: number;
  readonly end?: number;
  /** Where the events do not tell when it ran, but only that it did so between `start` and `end`. */
  readonly isWithin?: true;
  /** Of very many marks every second one is left out, again and again; the count has them all. */
  readonly progress: readonly { readonly at: number; readonly value: string }[];
  readonly progressCount: number;
  readonly outcome: CallOutcome;
  readonly arguments: string;
  readonly result?: string;
  readonly compensation?: { readonly at: number; readonly reason: CompensationReason; readonly error?: string };
}
