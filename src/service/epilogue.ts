import { concat, defer, of, type Observable } from 'rxjs';
import { AiServiceCompletedEvent } from '../event/lifecycle-events.ts';
import type { Result } from './result.ts';
import type { Run } from './run.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';

// The final event has no word for the tools of the rounds before it: `result()` finds here what belongs to it.
const results = new WeakMap<AiServiceStreamingEvent, Result<string>>();

/** The result that a `finalResponse` event stands for. */
export const resultOf = (event: AiServiceStreamingEvent): Result<string> => results.get(event)!;

/** The answer is there: whatever memory does not yet know is written, Completed is fired, and then it goes out. */
export function epilogue(run: Run, onCompleted: () => void): Observable<AiServiceStreamingEvent> {
  const final = defer(() => {
    const { invocation, gathered } = run;
    const result = gatheredResult(run);
    onCompleted();
    run.fire(() => new AiServiceCompletedEvent({ invocation, result }));
    const event: AiServiceStreamingEvent = {
      type: 'finalResponse',
      response: result.finalResponse!,
      invocation,
      round: gathered.round,
    };
    results.set(event, result as Result<string>);
    return of(event);
  });
  return concat(run.conversation.commit([]), final);
}

/** What a run has come to so far, as a result that may lack its end. */
export function gatheredResult({ gathered }: Run): Partial<Result<string>> {
  const { text, intermediateResponses, toolExecutions, tokenUsage, finalResponse } = gathered;
  const summed = finalResponse && { ...finalResponse, ...(tokenUsage && { tokenUsage }) };
  return {
    content: finalResponse ? finalResponse.aiMessage.text : text || null,
    ...(summed && { finalResponse: summed }),
    intermediateResponses: [...intermediateResponses],
    toolExecutions: [...toolExecutions],
    ...(tokenUsage && { tokenUsage }),
    ...(finalResponse?.finishReason && { finishReason: finalResponse.finishReason }),
  };
}
