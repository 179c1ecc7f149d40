import type { Timeline, TimelineCall, TimelineRound, TimelineSegment } from '../timeline.ts';
import type { Bar, Lane, Mark } from './layout.ts';
import { mergedBars, mergedMarks } from './merged.ts';

/** What interrupts a text: a pause of this part of the whole, and so many times longer than it had between its pieces. */
const pause = { part: 1 / 40, times: 5 };

const endMarks = { completed: 'ok', failed: 'error', cancelled: 'cancelled', running: undefined } as const;

/** What the model did: when it was waited for, thought, spoke and wrote its calls. */
export function modelLane(timeline: Timeline, span: number): Lane {
  const { retrieval, failures, rounds, calls, status, end } = timeline;
  const endMark = endMarks[status];
  const byNumber = new Map<number, TimelineRound[]>();
  for (const round of rounds) byNumber.set(round.number, [...(byNumber.get(round.number) ?? []), round]);
  const bars: Bar[] = [
    ...(retrieval ? [{ kind: 'retrieval', start: 0, end: retrieval.at } as const] : []),
    ...rounds.flatMap((round) => roundBars(round, span)),
    ...calls.map((call) => writingBar(call, byNumber.get(call.round) ?? [], span)),
  ];
  const marks: Mark[] = [
    ...rounds.flatMap(roundMarks),
    ...failures.map(({ at }): Mark => ({ kind: 'error', at })),
    ...(endMark ? [{ kind: endMark, at: end ?? span }] : []),
  ];
  return {
    label: 'model',
    bars: mergedBars(bars, span),
    marks: mergedMarks(marks, span),
    note: '',
    detail: '',
    tip: tipOf(rounds),
  };
}

function roundBars({ start, answered, end, restarted, retries, segments }: TimelineRound, span: number): readonly Bar[] {
  const until = answered ?? restarted?.at ?? end ?? span;
  return [
    { kind: 'request', start, end: until },
    ...retries.map(({ at, delay }): Bar => ({ kind: 'delay', start: at, end: Math.min(at + delay, Math.max(at, until)) })),
    ...segments.flatMap((segment) => pieceBars(segment, restarted !== undefined, span)),
  ];
}

/** A bar for each stretch in which the pieces of a segment came without a pause. */
function pieceBars({ type, start, end, pieces }: TimelineSegment, isDropped: boolean, span: number): readonly Bar[] {
  const kind = isDropped ? 'dropped' : type;
  const longest = Math.max(span * pause.part, ((end - start) / pieces.length) * pause.times);
  const stretches: number[][] = [];
  for (const { at } of pieces) {
    const stretch = stretches.at(-1);
    if (stretch && at - stretch.at(-1)! <= longest) stretch.push(at);
    else stretches.push([at]);
  }
  if (stretches.length === 0) stretches.push([start]);
  return stretches.map((times) => ({ kind, start: times[0]!, end: times.at(-1)!, pieces: times }));
}

function writingBar({ written, outcome, start }: TimelineCall, rounds: readonly TimelineRound[], span: number): Bar {
  const until = (at: number | undefined) => at ?? span;
  const own = rounds.find(({ start: from, end }) => written.start >= from && written.start <= until(end));
  const isDropped = own?.restarted !== undefined && outcome === 'unfinished' && start === undefined;
  return { kind: isDropped ? 'dropped' : 'writing', start: written.start, end: written.end ?? until(own?.end) };
}

function roundMarks({ retries, restarted }: TimelineRound): readonly Mark[] {
  return [
    ...retries.map(({ at }): Mark => ({ kind: 'retry', at })),
    ...(restarted ? [{ kind: 'restart', at: restarted.at } as const] : []),
  ];
}

/** How much of the answers is told. */
const mostText = 400;

function tipOf(rounds: readonly TimelineRound[]): string {
  const texts = rounds.slice(0, 10).map(({ number, segments, retries, restarted }) => {
    const said = segments.map(({ type, text }) => (type === 'text' ? text : `(${text})`)).join(' ');
    const troubles = [
      ...retries.map(({ reason }) => `retry: ${reason}`),
      ...(restarted ? [`asked again: ${restarted.reason}`] : []),
    ];
    return [`round ${number}: ${said.slice(0, mostText)}`, ...troubles].join('\n');
  });
  return texts.join('\n');
}
