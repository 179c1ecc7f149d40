import type { ChatModelEvent } from '../chat/chat-model.ts';
import type { ChatRequest } from '../chat/chat-request.ts';
import type { ChatResponse } from '../chat/chat-response.ts';
import { isCut } from '../chat/is-cut.ts';
import type { ToolExecutionRequest } from '../chat/message.ts';
import { AiServiceResponseReceivedEvent } from '../event/model-events.ts';
import { withoutCalls } from './last-answer.ts';
import { limitOfCall, type LimitName } from './limits.ts';
import { idAt, type RoundCalls } from './round-calls.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';
import { takeCall } from './take-call.ts';
import type { Turn } from './turn.ts';

/** What the model has answered so far. */
export interface AnswerReader {
  response: ChatResponse | undefined;
  attributes: Turn['attributes'];
  /** The complete calls as the model wrote them. */
  readonly requests: ToolExecutionRequest[];
  /** Tells what the model says, and runs what it calls; throws where a model made by hand emits what is no event. */
  take(event: ChatModelEvent): void;
}

export function answerReader(
  calls: RoundCalls,
  request: ChatRequest,
  isOver: () => boolean,
  onLimit: (limit: LimitName) => void,
): AnswerReader {
  const { run, round, subscriber } = calls;
  const { invocation, gathered, policy, settings } = run;
  /** A limit was hit before: whatever the model calls now, the invocation ends with this answer. */
  const isLast = gathered.limit !== undefined;
  const streamedIds = new Set<string>();

  const tell = (event: AiServiceStreamingEvent) => {
    gathered.isTold = true;
    subscriber.next(event);
  };
  const completeCall = (index: number, call: ToolExecutionRequest) => {
    if (calls.byIndex.has(index)) throw new Error(`the call at index ${index} is complete already`);
    // Before any tool of the round starts: a round too many leaves no trace.
    answer.requests.push(call);
    gathered.isTold = true;
    const limit = limitOfCall(run, call);
    if (!limit) return takeCall(calls, index, call);
    if (settings.limits?.then !== 'answer') return onLimit(limit);
    gathered.limit = limit;
    const what = limit === 'identicalToolCalls' ? 'calls like this one' : 'tool calls';
    takeCall(calls, index, call, `The tool was not called: the limit of ${what} is reached. Answer without further calls.`);
  };
  const receive = (received: ChatResponse) => {
    const usable = isLast ? withoutCalls(received) : received;
    const { toolExecutionRequests } = usable.aiMessage;
    answer.response = usable;
    // Told while it streamed, under this place or, by models that count otherwise, under another.
    const isTold = new Set(toolExecutionRequests.filter(({ id }, index) => calls.byIndex.has(index) || streamedIds.has(id)));
    run.fire(() => new AiServiceResponseReceivedEvent({ invocation, request, response: received }));
    // Calls that the model tells only now; those of a cut turn are not complete.
    toolExecutionRequests.forEach((call, index) => {
      if (!isOver() && !isCut(received.finishReason) && !isTold.has(call)) completeCall(index, call);
    });
  };
  const take = (event: ChatModelEvent) => {
    switch (event.type) {
      case 'partialResponse':
        gathered.text += event.text;
        // Text that a guardrail has not seen is not shown.
        if (!policy.holdsText) tell({ type: 'partialResponse', text: event.text, invocation, round });
        break;
      case 'partialThinking':
        gathered.thinking += event.text;
        tell({ type: 'partialThinking', text: event.text, invocation, round });
        break;
      case 'partialToolCall':
        if (isLast) break;
        tell({
          type: 'partialToolCall',
          index: event.index,
          id: idAt(calls, event.index, event.id),
          name: event.name,
          partialArguments: event.partialArguments,
          invocation,
          round,
        });
        break;
      case 'completeToolCall':
        if (isLast) break;
        answer.attributes = event.attributes ?? answer.attributes;
        if (event.request.id) streamedIds.add(event.request.id);
        completeCall(event.index, event.request);
        break;
      case 'completeResponse':
        if (!answer.response) receive(event.response);
        break;
      case 'retry':
      case 'raw':
        subscriber.next({ ...event, invocation, round });
    }
  };
  const answer: AnswerReader = { response: undefined, attributes: undefined, requests: [], take };
  return answer;
}
