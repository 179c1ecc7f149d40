import type { CallOutcome, Timeline, TimelineCall, TimelineRound, TimelineSegment } from '../timeline.ts';
import { errorText, shortText } from './short-text.ts';
import { addPiece } from './thinned.ts';

/** The same, while it is written. */
export type Drafted<T> = T extends object ? { -readonly [Key in keyof T]: Drafted<T[Key]> } : T;

/** A timeline while it is written, and what the writers have to know of it. */
export interface Draft {
  readonly timeline: Drafted<Timeline>;
  readonly maxText: number;
  /** The calls of the round under way by their place in the turn, and all by id: of two the later one. */
  readonly byIndex: Map<number, Drafted<TimelineCall>>;
  readonly byId: Map<string, Drafted<TimelineCall>>;
  /** What the next piece of the same kind belongs to. */
  openSegment: Drafted<TimelineSegment> | undefined;
  /** The round under way was begun by a request, which does not tell its number. */
  isNumberGuessed: boolean;
  /** The stream tells what was said, so that the responses need not. */
  isStreamed: boolean;
  /** When the last thing was written down. */
  lastAt: number;
}

export function newDraft(maxText: number, invocationId?: string): Draft {
  return {
    timeline: {
      version: 1,
      ...(invocationId !== undefined && { invocationId }),
      status: 'running',
      duration: 0,
      failures: [],
      rounds: [],
      calls: [],
    },
    maxText,
    byIndex: new Map(),
    byId: new Map(),
    openSegment: undefined,
    isNumberGuessed: false,
    isStreamed: false,
    lastAt: 0,
  };
}

/** The round of this number, which begins now unless it has. */
export function roundOf(draft: Draft, number: number): Drafted<TimelineRound> {
  const current = draft.timeline.rounds.at(-1);
  if (current && draft.isNumberGuessed) {
    draft.isNumberGuessed = false;
    current.number = number;
  }
  // Nothing tells when the request of the next one went out: it is when all of this one had ended.
  return current?.number === number && !current.restarted ? current : beginRound(draft, number, draft.lastAt);
}

export function beginRound(draft: Draft, number: number, start: number): Drafted<TimelineRound> {
  const { rounds } = draft.timeline;
  const before = rounds.at(-1);
  if (before) before.end ??= start;
  draft.byIndex.clear();
  draft.openSegment = undefined;
  const round = { number, start, segments: [], retries: [] };
  rounds.push(round);
  return round;
}

export function addText(
  draft: Draft,
  round: Drafted<TimelineRound>,
  type: TimelineSegment['type'],
  at: number,
  text: string,
): void {
  let segment = draft.openSegment;
  if (segment?.type !== type) {
    segment = { type, start: at, end: at, characters: 0, text: '', pieces: [] };
    draft.openSegment = segment;
    round.segments.push(segment);
  }
  segment.end = at;
  if (segment.characters <= draft.maxText) segment.text = shortText(segment.text + text, draft.maxText);
  segment.characters += text.length;
  addPiece(segment.pieces, at, text.length);
}

/** How it ends; the first word counts. */
export function end(draft: Draft, status: Timeline['status'], at: number, error?: unknown): void {
  const { timeline, maxText } = draft;
  if (timeline.status !== 'running') return;
  timeline.status = status;
  timeline.end = at;
  if (status === 'failed') timeline.error = errorText(error, maxText);
  const round = timeline.rounds.at(-1);
  if (round) round.end = at;
  dropCalls(draft, at, status === 'cancelled' ? 'cancelled' : 'unfinished');
}

/** No call that is open by now will end. */
export function dropCalls({ timeline }: Draft, at: number, outcome: CallOutcome): void {
  for (const call of timeline.calls) {
    if (call.end !== undefined || call.written.end === undefined) continue;
    call.outcome = outcome;
    call.end = at;
  }
}

/** A failed invocation goes on. */
export function resume({ timeline }: Draft): void {
  if (timeline.status !== 'failed') return;
  timeline.failures.push({ at: timeline.end ?? 0, error: timeline.error ?? '' });
  timeline.status = 'running';
  delete timeline.end;
  delete timeline.error;
}
