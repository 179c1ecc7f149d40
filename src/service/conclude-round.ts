import { EMPTY, catchError, concat, defer, throwError, type Observable } from 'rxjs';
import { isCut } from '../chat/is-cut.ts';
import { addTokenUsage } from '../chat/token-usage.ts';
import { hasFailed, hasRun, takeSuccess } from './call.ts';
import { compensate, undoesOnToolErrors } from './compensation.ts';
import { failingBy } from './failing-by.ts';
import { isImmediate } from './immediate-return.ts';
import type { Run } from './run.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';
import { tellUnwritten } from './tell-of-memory.ts';
import { unitOf, type Turn } from './turn.ts';

/** The model is done and every tool has ended: undo where a tool has failed, then fail, return, or write the unit to memory and go on. */
export function concludeRound(run: Run, turn: Turn): Observable<AiServiceStreamingEvent> {
  const { gathered, memory, unstoppable } = run;
  gathered.restarts = 0;
  countTokens(run, turn);
  gatherExecutions(run, turn);
  gatherUndoable(run, turn);
  const failed = turn.calls.find((call) => call.failure);
  // What ends the invocation is to blame, whatever tools have failed besides.
  const culprit = turn.modelError && !failed ? undefined : turn.calls.find(hasFailed);
  const withUndo = (then$: Observable<never>) =>
    culprit && undoesOnToolErrors(run) ? concat(compensate(run, 'toolError', culprit.request.name), then$) : then$;
  const failure = failed?.failure ?? turn.modelError;
  if (failed?.failure) gathered.failedCall = { request: failed.request, error: failed.failure.error };
  if (failure) {
    return concat(
      unstoppable.run(withUndo(commitPartial(run, turn))),
      // Said last: the memory may have failed meanwhile.
      throwError(() => failure.error).pipe(failingBy(run, failed ? 'toolError' : turn.failedBy)),
    );
  }
  if (isAnswer(turn)) {
    gathered.finalResponse = turn.response;
    // Whether it is accepted is not decided yet; calls that ran are facts.
    if (turn.calls.length === 0) return EMPTY;
    gathered.isAnswerAdded = !run.policy.holdsText;
  } else {
    if (turn.calls.length > 0) gathered.toolRounds++;
    if (isImmediate(turn)) returnImmediately(run);
  }
  const concluded$ = withUndo(commit(run, turn));
  // There is nothing to interrupt where nothing is written and nothing undone.
  return memory || culprit ? unstoppable.run(concluded$) : concluded$;
}

/**
 * The round is given up while something in it still runs: what its tools have done by now must not be forgotten, and what
 * those have done that are left to settle.
 */
export function leaveRound(run: Run, turn: () => Turn, settled: Observable<never>): void {
  run.gathered.isLeft = true;
  countTokens(run, turn());
  gatherExecutions(run, turn());
  const left$ = defer(() => {
    gatherExecutions(run, turn());
    gatherUndoable(run, turn());
    return commitPartial(run, turn());
  });
  run.unstoppable.run(concat(settled, left$)).subscribe();
}

/** The model has answered: without calls, or cut off, which makes a turn the last. */
function isAnswer({ response, calls }: Turn): boolean {
  return response !== undefined && (isCut(response.finishReason) || calls.length === 0);
}

/** The results of the round are the answer. */
function returnImmediately({ gathered }: Run): void {
  // Whatever the provider calls it: calls beside the word `stop` run, too.
  gathered.finalResponse = { ...gathered.intermediateResponses.pop()!, finishReason: 'toolExecution' };
  gathered.isImmediate = true;
  gathered.isAnswerAdded = true;
}

function countTokens({ gathered }: Run, { response }: Turn): void {
  gathered.tokenUsage = addTokenUsage(gathered.tokenUsage, response?.tokenUsage);
}

function gatherExecutions({ gathered }: Run, { calls }: Turn): void {
  for (const call of calls) {
    if (!call.execution || call.isGathered) continue;
    call.isGathered = true;
    gathered.toolExecutions.push(call.execution);
  }
}

function gatherUndoable({ gathered }: Run, { calls }: Turn): void {
  for (const call of calls) {
    const success = takeSuccess(call);
    if (!success) continue;
    // The tool may have done its work, and an interceptor or the time limit have failed the call.
    gathered.undoable.push({ call, execution: call.execution?.hasFailed === false ? call.execution : success });
  }
}

function commit(run: Run, turn: Turn): Observable<never> {
  return defer(() => {
    run.gathered.isKept = true;
    run.conversation.add(unitOf(turn, run));
    return run.memory ? run.conversation.write().pipe(failingBy(run, 'memory')) : EMPTY;
  });
}

/** If none of the turn's tools has run, nothing happened that the model would have to know. */
function commitPartial(run: Run, turn: Turn): Observable<never> {
  return defer(() => (turn.calls.some(hasRun) ? commit(run, turn) : EMPTY)).pipe(
    // The invocation has failed already, and with the error that counts.
    catchError((error: unknown) => {
      tellUnwritten(run, error);
      return EMPTY;
    }),
  );
}
