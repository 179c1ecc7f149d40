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
}

export const sse = (json: unknown, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof json === 'string' ? json : JSON.stringify(json)}\n\n`;
