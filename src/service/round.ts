import { Observable, defer, type Subscription } from 'rxjs';
import { ChatModelError } from '../chat/chat-model-error.ts';
import type { ChatModelEvent } from '../chat/chat-model.ts';
import type { ChatRequest } from '../chat/chat-request.ts';
import type { ChatResponse } from '../chat/chat-response.ts';
import type { ToolExecutionRequest } from '../chat/message.ts';
import { AiServiceRequestIssuedEvent, AiServiceResponseReceivedEvent } from '../event/model-events.ts';
import { chatRequestOf } from './chat-request.ts';
import { concludeRound, leaveRound } from './conclude-round.ts';
import { modelAnswers } from './model-answers.ts';
import { roundCalls } from './round-calls.ts';
import type { Run } from './run.ts';
import { ToolRoundTripsExceededError } from './service-errors.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';
import { subscribeEarly } from '../chat/subscribe-early.ts';
import { thenStream } from '../chat/then-stream.ts';
import { asError } from '../tool/tool-errors.ts';
import { aiMessageOf, isCut, type Turn } from './turn.ts';

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
    let isModelDone = false;
    let isConcluded = false;
    let model: Subscription | undefined;

    const turn = (): Turn => ({ request, response, attributes, modelError, calls: calls.list() });
    const conclude = () => {
      if (!isModelDone || isConcluded || !calls.isIdle()) return;
      isConcluded = true;
      concludeRound(run, turn()).subscribe(subscriber);
    };
    const calls = roundCalls(run, subscriber, conclude);

    const fail = (error: unknown) => {
      isModelDone = true;
      modelError = { error: asError(error) };
      calls.close();
      conclude();
    };
    const completeCall = (index: number, call: ToolExecutionRequest) => {
      // Before any tool of the round starts: a round too many leaves no trace.
      if (gathered.toolRounds < run.settings.maxToolCallingRoundTrips) return calls.complete(index, call);
      model?.unsubscribe();
      fail(limitExceeded(run));
    };
    const receive = (received: ChatResponse) => {
      response = received;
      run.fire(() => new AiServiceResponseReceivedEvent({ invocation, request, response: received }));
      // Calls that the model tells only now; those of a cut turn are not complete.
      received.aiMessage.toolExecutionRequests.forEach((call, index) => {
        if (!isModelDone && !isCut(received) && !calls.has(index)) completeCall(index, call);
      });
    };
    const onEvent = (event: ChatModelEvent) => {
      if (isModelDone) return;
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
      if (calls.list().length > 0 && !isCut(response)) {
        const intermediate = { ...response, aiMessage: aiMessageOf(turn(), gathered) };
        gathered.intermediateResponses.push(intermediate);
        subscriber.next({ type: 'intermediateResponse', response: intermediate, invocation, round });
      }
      conclude();
    };

    subscriber.add(() => isConcluded || leaveRound(run, turn()));
    run.fire(() => new AiServiceRequestIssuedEvent({ invocation, request }));
    run.inContext(() => {
      subscribeEarly(modelAnswers(run, request), { next: onEvent, error: fail, complete: endModel }, (subscription) => {
        model = subscription;
        subscriber.add(subscription);
      });
    });
  });
}

function limitExceeded({ settings, gathered }: Run): Error {
  const { maxToolCallingRoundTrips: limit } = settings;
  return new ToolRoundTripsExceededError(
    `The model called tools again after ${gathered.toolRounds} rounds of tool calls; maxToolCallingRoundTrips is ${limit}.`,
  );
}

function withoutResponse({ model }: Run): Error {
  const message = 'The model ended without a completeResponse event.';
  return new ChatModelError(message, { kind: 'malformedResponse', provider: model.provider, retryable: false });
}
