import type { Timeline } from '../timeline.ts';
import { callLane } from './call-lane.ts';
import { headlineOf } from './headline.ts';
import { kindOrder, told, type BarKind, type MarkKind } from './kinds.ts';
import { modelLane } from './model-lane.ts';
import { restLane } from './rest-lane.ts';
import { shownCalls } from './shown-calls.ts';
import { spanOf } from './span.ts';

/** A stretch of a lane; later ones lie over earlier ones. Times are in ms. */
export interface Bar {
  readonly kind: BarKind;
  readonly start: number;
  readonly end: number;
  /** When the pieces of a text came. */
  readonly pieces?: readonly number[];
}

/** A point of a lane. */
export interface Mark {
  readonly kind: MarkKind;
  readonly at: number;
}

export interface Lane {
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly marks: readonly Mark[];
  /** What is said beside the bars: in any case, and where there is room for it. */
  readonly note: string;
  readonly detail: string;
  /** All that is known, for whoever asks. */
  readonly tip: string;
}

export interface RoundBand {
  readonly number: number;
  readonly isDropped: boolean;
  readonly start: number;
  readonly end: number;
}

/** A timeline as lanes with bars and marks: made once, and drawn in many ways. */
export interface Layout {
  readonly title: string;
  readonly headline: string;
  readonly problem: string;
  readonly status: Timeline['status'];
  /** The time of the right end; more than 0. */
  readonly span: number;
  readonly rounds: readonly RoundBand[];
  readonly model: Lane;
  readonly calls: readonly Lane[];
  /** What occurs, in the order of a legend. */
  readonly kinds: readonly (BarKind | MarkKind)[];
}

export function layoutOf(timeline: Timeline, mostCalls: number, title?: string): Layout {
  const span = spanOf(timeline);
  const { shown, hidden } = shownCalls(timeline.calls, mostCalls);
  const model = modelLane(timeline, span);
  const calls = shown.map((call) => callLane(call, timeline, span));
  if (hidden.length > 0) calls.push(restLane(hidden, timeline, span));
  const occurring = new Set(
    [model, ...calls].flatMap(({ bars, marks }) => [...bars, ...marks].map(({ kind }) => told[kind] ?? kind)),
  );
  return {
    title: title ?? timeline.serviceName ?? 'invocation',
    headline: headlineOf(timeline),
    problem: timeline.error ?? '',
    status: timeline.status,
    span,
    rounds: timeline.rounds.map(({ number, start, restarted }, place) => ({
      number,
      isDropped: restarted !== undefined,
      start,
      end: timeline.rounds[place + 1]?.start ?? span,
    })),
    model,
    calls,
    kinds: kindOrder.filter((kind) => occurring.has(kind)),
  };
}
