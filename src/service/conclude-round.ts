import { EMPTY, catchError, concat, defer, throwError, type Observable } from 'rxjs';
import { isCut } from '../chat/is-cut.ts';
import { addTokenUsage } from '../chat/token-usage.ts';
import { quietly } from '../tool/quietly.ts';
import { hasRun } from './call.ts';
import type { Run } from './run.ts';
import { unitOf, type Turn } from './turn.ts';

/** The model is done and every tool has ended: write the unit to memory, then fail, answer or go on. */
export function concludeRound(run: Run, turn: Turn): Observable<never> {
  const { gathered, conversation } = run;
  gather(run, turn);
  const failure = turn.calls.find((call) => call.failure)?.failure ?? turn.modelError;
  if (failure)
    return concat(
      commitPartial(run, turn),
      throwError(() => failure.error),
    );
  const response = turn.response!;
  // A cut turn is the last.
  if (isCut(response.finishReason) || turn.calls.length === 0) gathered.finalResponse = response;
  else gathered.toolRounds++;
  return conversation.commit(unitOf(turn, gathered));
}

/** The round is given up while something in it still runs: what its tools have done by now must not be forgotten. */
export function leaveRound(run: Run, turn: Turn): void {
  gather(run, turn);
  commitPartial(run, turn).subscribe();
}

function gather({ gathered }: Run, { response, calls }: Turn): void {
  gathered.tokenUsage = addTokenUsage(gathered.tokenUsage, response?.tokenUsage);
  for (const { execution } of calls) if (execution) gathered.toolExecutions.push(execution);
}

/** If none of the turn's tools has run, nothing happened that the model would have to know. */
function commitPartial({ conversation, gathered, settings }: Run, turn: Turn): Observable<never> {
  return defer(() => (turn.calls.some(hasRun) ? conversation.commit(unitOf(turn, gathered)) : EMPTY)).pipe(
    // The invocation has failed already, and with the error that counts.
    catchError((error: unknown) => {
      quietly(() => settings.logger.error('The chat memory could not be written after a failed or cancelled round.', error));
      return EMPTY;
    }),
  );
}
