import { wordsIn } from '../provider-error.ts';
import type { Chunk } from './chunk.ts';

/** The failure that a chunk tells where only servers of this API do; `undefined` in a chunk of an answer. */
export function chatFailure(chunk: Chunk): unknown {
  const choice = chunk.choices?.[0];
  const inside = chunk.x_groq?.error ?? choice?.error;
  if (inside) return { error: inside };
  // Nearly every chunk goes on with the answer: don't look further.
  if (choice && !choice.finish_reason) return undefined;
  const isAnswer = chunk.choices !== undefined || chunk.usage !== undefined;
  return (!isAnswer || chunk.base_resp?.status_code) && wordsIn(chunk) ? chunk : undefined;
}
