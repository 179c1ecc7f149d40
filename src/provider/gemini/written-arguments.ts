import { mayRound, rawJson, type RawPath } from '../raw-json.ts';
import type { Part } from './chunk.ts';

/** A part with the arguments of its call as the text of the chunk has them, where parsing may have changed a long number. */
export function withWrittenArguments(part: Part, text: string, path: RawPath): Part {
  const { functionCall: call } = part;
  if (typeof call?.args !== 'object' || call.args === null || !mayRound(text)) return part;
  const written = rawJson(text, [...path, 'functionCall', 'args']);
  return written === undefined ? part : { ...part, functionCall: { ...call, written } };
}
