import { mayRound, rawJson } from '../raw-json.ts';
import type { Part } from './chunk.ts';

/** A part with the arguments of its call as its text has them, where parsing may have changed a long number of the chunk. */
export function withWrittenArguments(part: Part, chunk: string, textOfPart: () => string | undefined): Part {
  const { functionCall: call } = part;
  if (typeof call?.args !== 'object' || call.args === null || !mayRound(chunk)) return part;
  const written = rawJson(textOfPart() ?? '', ['functionCall', 'args']);
  return written === undefined ? part : { ...part, functionCall: { ...call, written } };
}
