import type { FinishReason } from './chat-response.ts';

/** Whether a turn was ended before the model had finished: its calls may lack their ends, and what came next is not known. */
export function isCut(reason: FinishReason | undefined): boolean {
  return reason === 'length' || reason === 'contentFilter';
}
