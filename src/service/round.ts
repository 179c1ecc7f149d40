import { Observable, defer, type Subscription } from 'rxjs';
import type { ChatModelEvent } from '../chat/chat-model.ts';
import type { ChatRequest } from '../chat/chat-request.ts';
import type { ChatResponse } from '../chat/chat-response.ts';
import { isCut } from '../chat/is-cut.ts';
import type { ToolExecutionRequest } from '../chat/message.ts';
import { AiServiceRequestIssuedEvent, AiServiceResponseReceivedEvent } from '../event/model-events.ts';
import { chatRequestOf } from './chat-request.ts';
import { concludeRound, leaveRound } from './conclude-round.ts';
import { fireToolExecuted } from './fire-tool-executed.ts';
import { modelAnswers } from './model-answers.ts';
import { roundCalls } from './round-calls.ts';
import type { Run } from './run.ts';
import { limitExceeded, malformedEvent, withoutResponse } from './round-errors.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';
import { subscribeEarly } from '../chat/subscribe-early.ts';
import { thenStream } from '../chat/then-stream.ts';
import { asError } from '../tool/tool-errors.ts';
import { aiMessageOf, type Turn } from './turn.ts';

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
    const { conversation, gathered } = run;
    gathered.round++;
    gathered.text = '';
    gathered.thinking = '';
    return thenStream(conversation.messages(), (messages) => turnOf(run, chatRequestOf(run, messages)));
  });
}

function turnOf(run: Run, request: ChatRequest): Observable<AiServiceStreamingEvent> {
  return new Observable((subscriber) => {
    const { invocation, gathered } = run;
    const { round } = gathered;
    let response: ChatResponse | undefined;
    let attributes: Turn['attributes'];
    let modelError: Turn['modelError'];
    const streamedIds = new Set<string>();
    let isModelDone = false;
    let isConcluding = false;
    let isConcluded = false;
    let model: Subscription | undefined;

    const turn = (): Turn => ({ request, response, attributes, modelError, calls: calls.list() });
    const conclude = () => {
      if (!isModelDone || isConcluding || subscriber.closed || !calls.isIdle()) return;
      isConcluding = true;
      const ended = turn();
      fireToolExecuted(run, ended, () => subscriber.closed);
      // A listener has cancelled: what is to be written has been, by leaveRound.
      if (subscriber.closed) return;
      isConcluded = true;
      concludeRound(run, ended).subscribe(subscriber);
    };
    const calls = roundCalls(run, subscriber, conclude);

    const fail = (error: unknown) => {
      isModelDone = true;
      modelError = { error: asError(error) };
      calls.close();
      conclude();
    };
    const completeCall = (index: number, call: ToolExecutionRequest) => {
      if (calls.has(index)) throw new Error(`the call at index ${index} is complete already`);
      // Before any tool of the round starts: a round too many leaves no trace.
      if (gathered.toolRounds < run.settings.maxToolCallingRoundTrips) return calls.complete(index, call);
      model?.unsubscribe();
      fail(limitExceeded(run));
    };
    const receive = (received: ChatResponse) => {
      const { toolExecutionRequests } = received.aiMessage;
      // Told while it streamed, under this place or, by models that count otherwise, under another.
      const isTold = new Set(toolExecutionRequests.filter(({ id }, index) => calls.has(index) || streamedIds.has(id)));
      response = received;
      run.fire(() => new AiServiceResponseReceivedEvent({ invocation, request, response: received }));
      // Calls that the model tells only now; those of a cut turn are not complete.
      toolExecutionRequests.forEach((call, index) => {
        if (!isModelDone && !isCut(received.finishReason) && !isTold.has(call)) completeCall(index, call);
      });
    };
    const onEvent = (event: ChatModelEvent) => {
      if (isModelDone) return;
      try {
        take(event);
      } catch (cause) {
        // Thrown out of an observer it would be nobody's error, and end the process.
        model?.unsubscribe();
        fail(malformedEvent(run, cause));
      }
    };
    const take = (event: ChatModelEvent) => {
      switch (event.type) {
        case 'partialResponse':
          gathered.text += event.text;
          subscriber.next({ type: 'partialResponse', text: event.text, invocation, round });
          break;
        case 'partialThinking':
          gathered.thinking += event.text;
          subscriber.next({ type: 'partialThinking', text: event.text, invocation, round });
          break;
        case 'partialToolCall':
          subscriber.next({
            type: 'partialToolCall',
            index: event.index,
            id: calls.idAt(event.index, event.id),
            name: event.name,
            partialArguments: event.partialArguments,
            invocation,
            round,
          });
          break;
        case 'completeToolCall':
          attributes = event.attributes ?? attributes;
          if (event.request.id) streamedIds.add(event.request.id);
          completeCall(event.index, event.request);
          break;
        case 'completeResponse':
          receive(event.response);
          break;
        default:
          subscriber.next({ ...event, invocation, round });
      }
    };
    const endModel = () => {
      if (isModelDone) return;
      if (!response) return fail(withoutResponse(run));
      isModelDone = true;
      if (calls.list().length > 0 && !isCut(response.finishReason)) {
        const intermediate = { ...response, aiMessage: aiMessageOf(turn(), gathered) };
        gathered.intermediateResponses.push(intermediate);
        subscriber.next({ type: 'intermediateResponse', response: intermediate, invocation, round });
      }
      conclude();
    };

    subscriber.add(() => isConcluded || leaveRound(run, turn()));
    run.fire(() => new AiServiceRequestIssuedEvent({ invocation, request }));
    subscribeEarly(modelAnswers(run, request), { next: onEvent, error: fail, complete: endModel }, (subscription) => {
      model = subscription;
      subscriber.add(subscription);
    });
  });
}
