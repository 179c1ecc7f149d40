import type { Run } from './run.ts';

/** The answer does not hold: the model is asked again, now or by whoever goes on from here, such as a retry(). */
export function dropAnswer({ gathered }: Run): void {
  // Results that were to be the answer are what they were before: those of one more round.
  if (gathered.isImmediate && gathered.finalResponse) gathered.intermediateResponses.push(gathered.finalResponse);
  gathered.finalResponse = undefined;
  gathered.isImmediate = false;
  gathered.isAnswerAdded = false;
  gathered.output = undefined;
}
