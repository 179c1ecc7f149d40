import type { Timeline, TimelineCall } from '../timeline.ts';
import { durationText } from './duration-text.ts';
import type { BarKind } from './kinds.ts';
import type { Bar, Lane, Mark } from './layout.ts';
import { mergedMarks } from './merged.ts';

/** How the run of a call is drawn that came to this. */
const runs: Readonly<Record<TimelineCall['outcome'], BarKind>> = {
  ok: 'running',
  error: 'failing',
  cancelled: 'stopped',
  denied: 'stopped',
  unfinished: 'running',
};

/** What became of a call, from the moment in which it was complete. */
export function callLane(call: TimelineCall, timeline: Timeline, span: number): Lane {
  const { name, outcome, end, progress, compensation } = call;
  const marks: Mark[] = progress.filter((told) => !isResult(told, call, span)).map(({ at }) => ({ kind: 'progress', at }));
  if (outcome !== 'unfinished') marks.push({ kind: outcome, at: end ?? span });
  if (compensation) marks.push({ kind: compensation.error === undefined ? 'undone' : 'notUndone', at: compensation.at });
  const { note, detail } = noteOf(call, timeline.status === 'running');
  return { label: name, bars: barsOf(call, span), marks: mergedMarks(marks, span), note, detail, tip: tipOf(call, note) };
}

/** What a tool says in the moment of its end is its result; a clock may go on in between, by less than a drawing can show. */
function isResult(
  told: TimelineCall['progress'][number],
  { end, result, outcome, progress }: TimelineCall,
  span: number,
): boolean {
  if (end === undefined || told.at === end) return told.at === end;
  const isLast = told === progress.at(-1) && outcome === 'ok' && told.value === result;
  return isLast && told.at < end && end - told.at < span / 100;
}

function barsOf({ written, approval, start, end, outcome, isWithin, compensation }: TimelineCall, span: number): readonly Bar[] {
  const last = end ?? span;
  const bars: Bar[] = [];
  const add = (kind: BarKind, from: number, to: number) => {
    if (to > from) bars.push({ kind, start: from, end: to });
  };
  const begins = start ?? last;
  const asked = approval?.asked ?? begins;
  const complete = written.end ?? begins;
  add('waiting', complete, Math.min(asked, begins));
  if (approval) {
    const answered = approval.answered ?? last;
    add('approval', asked, answered);
    add('waiting', answered, begins);
  }
  // However short: that it ran must be seen.
  if (start !== undefined) bars.push({ kind: isWithin ? 'within' : runs[outcome], start, end: Math.max(start, last) });
  if (compensation) add('standing', last, compensation.at);
  return bars;
}

function noteOf(call: TimelineCall, isLive: boolean): { note: string; detail: string } {
  const { start, end, outcome, result = '', compensation, isWithin } = call;
  const took = start === undefined || end === undefined ? '' : `${isWithin ? 'within ' : ''}${durationText(end - start)}`;
  if (compensation?.error !== undefined) return { note: joined(took, 'not undone'), detail: compensation.error };
  if (compensation) return { note: joined(took, 'undone'), detail: reasons[compensation.reason] };
  if (outcome === 'unfinished') return { note: openNote(call, isLive), detail: '' };
  const notes: Readonly<Record<typeof outcome, string>> = {
    ok: took,
    error: took || 'error',
    cancelled: joined(took, 'cancelled'),
    denied: 'denied',
  };
  return { note: notes[outcome], detail: outcome === 'error' || outcome === 'denied' ? result : '' };
}

function openNote({ start, end }: TimelineCall, isLive: boolean): string {
  if (isLive && end === undefined) return start === undefined ? 'waits' : 'runs';
  return start === undefined ? 'not run' : 'unfinished';
}

const joined = (...parts: readonly string[]): string => parts.filter(Boolean).join(', ');

const reasons: Readonly<Record<NonNullable<TimelineCall['compensation']>['reason'], string>> = {
  toolError: 'a tool failed',
  cancelled: 'the invocation was cancelled',
  modelError: 'the model failed',
  limit: 'a limit was reached',
  guardrail: 'the answer was refused',
  memory: 'the memory failed',
};

function tipOf({ name, arguments: args, result, outcome, progress, progressCount }: TimelineCall, note: string): string {
  const steps = progressCount > 0 ? [`progress ${progressCount}: ${progress.at(-1)?.value ?? ''}`] : [];
  return [`${name}(${args})`, joined(outcome, note), ...steps, ...(result === undefined ? [] : [result])].join('\n');
}
