import { exchangeViolations, type Exchange } from './exchange-violations.ts';
import type { ModelTurn } from './model-turn.ts';

/** A provider's API as its server sees it: how an answer is put into frames, and which requests it refuses. */
export interface ServerSide {
  readonly contentType: string;
  /** Whole frames of the body, in order; the last one ends the turn. */
  frames(turn: ModelTurn): readonly string[];
  /** The frame of a failure in the midst of an answer. */
  readonly errorFrame: string;
  /** A comment that keeps the connection alive, where the framing has one. */
  readonly ping: string;
  /** Why the API would refuse this body. */
  violations(body: unknown): readonly string[];
  /** The calls of this body, and their results. */
  exchanges(body: unknown): readonly Exchange[];
}

export const sse = (json: unknown, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof json === 'string' ? json : JSON.stringify(json)}\n\n`;

/** Everything that is wrong with a request. */
export const bodyViolations = (side: ServerSide, body: unknown): readonly string[] => [
  ...side.violations(body),
  ...exchangeViolations(side.exchanges(body)),
];
