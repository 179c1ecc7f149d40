import { defer, throwError, type Observable } from 'rxjs';
import { thenStream } from '../chat/then-stream.ts';
import { chatRequestOf } from './chat-request.ts';
import { failingBy } from './failing-by.ts';
import { limitBeforeRound, limitError } from './limits.ts';
import type { Run } from './run.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';
import { turnOf } from './turn-of.ts';
import { withinDuration } from './within-duration.ts';

/**
 * One request to the model and the tools that it calls, which start while it still streams. The round ends when the
 * model is done *and* every tool has ended, whatever came of them.
 *
 *     model   -t--A-----B--|            A and B: calls complete
 *     tool A      -----r|
 *     tool B            ------r|
 *     events  -t--(Ab)-a(Bb)i-a|        b and a: before and after execution, i: intermediate response
 */
export function round(run: Run): Observable<AiServiceStreamingEvent> {
  return defer(() => {
    const { gathered, settings } = run;
    const limit = gathered.limit ?? limitBeforeRound(run);
    if (limit && settings.limits?.then !== 'answer')
      return throwError(() => limitError(run, limit)).pipe(failingBy(run, 'limit'));
    gathered.limit = limit;
    gathered.round++;
    gathered.text = '';
    gathered.thinking = '';
    gathered.isTold = gathered.isKept = false;
    return thenStream(chatRequestOf(run).pipe(withinDuration(run)), (request) => {
      // The time was up while the request was made: it is not the one that asks for an answer.
      if (limit || !run.clock?.isExpired()) return turnOf(run, request);
      gathered.round--;
      return round(run);
    });
  });
}
