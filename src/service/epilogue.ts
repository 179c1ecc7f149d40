import { concat, defer, of, type Observable } from 'rxjs';
import { AiServiceCompletedEvent } from '../event/lifecycle-events.ts';
import { failingBy } from './failing-by.ts';
import type { Result } from './result.ts';
import type { Run } from './run.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';

// The final event has no word for the tools of the rounds before it: `result()` finds here what belongs to it.
const results = new WeakMap<AiServiceStreamingEvent, Result<unknown>>();

/** The result that a `finalResponse` event stands for. */
export const resultOf = (event: AiServiceStreamingEvent): Result<unknown> => results.get(event)!;

/** The answer is there: memory is written, Completed is fired, and then it goes out. */
export function epilogue(run: Run, onCompleted: () => void): Observable<AiServiceStreamingEvent> {
  const final = defer(() => {
    const { invocation, gathered } = run;
    const { round, output } = gathered;
    const result = gatheredResult(run);
    onCompleted();
    run.fire(() => new AiServiceCompletedEvent({ invocation, result }));
    const response = result.finalResponse!;
    const event: AiServiceStreamingEvent = {
      type: 'finalResponse',
      response,
      ...(output && { content: output.value }),
      invocation,
      round,
    };
    results.set(event, result as Result<unknown>);
    return of(event);
  });
  return concat(written(run), final);
}

function written(run: Run): Observable<never> {
  const { gathered, conversation, memory, unstoppable } = run;
  return defer(() => {
    const { aiMessage } = gathered.finalResponse!;
    const text = aiMessage.text ?? null;
    if (!gathered.isAnswerAdded && text) conversation.add([{ ...aiMessage, role: 'assistant', text, toolExecutionRequests: [] }]);
    gathered.isAnswerAdded = true;
    const write$ = conversation.write().pipe(failingBy(run, 'memory'));
    return memory ? unstoppable.run(write$) : write$;
  });
}

/** What a run has come to so far, as a result that may lack its end. */
export function gatheredResult({ gathered }: Run): Partial<Result<unknown>> {
  const { text, intermediateResponses, toolExecutions, tokenUsage, finalResponse, limit, sources } = gathered;
  const summed = finalResponse && { ...finalResponse, ...(tokenUsage && { tokenUsage }) };
  return {
    content: contentOf(gathered) ?? (finalResponse ? null : text || null),
    ...(summed && { finalResponse: summed }),
    intermediateResponses: [...intermediateResponses],
    toolExecutions: [...toolExecutions],
    ...(tokenUsage && { tokenUsage }),
    ...(finalResponse?.finishReason && { finishReason: finalResponse.finishReason }),
    ...(limit && { limit }),
    sources,
  };
}

function contentOf({ finalResponse, isImmediate, output }: Run['gathered']): unknown {
  if (output) return output.value;
  return isImmediate ? null : finalResponse?.aiMessage.text;
}
