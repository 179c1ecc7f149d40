import { wellFormed } from './well-formed.ts';

/** A value as JSON text that every provider can read. Looked through here, piece by piece, since most of a body was sent before. */
export function wireJson(value: unknown): string {
  return wellFormed(JSON.stringify(value));
}
