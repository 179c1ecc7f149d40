import { Observable, type Subscription } from 'rxjs';
import type { ChatModelEvent } from '../chat/chat-model.ts';
import type { ChatRequest } from '../chat/chat-request.ts';
import type { ChatResponse } from '../chat/chat-response.ts';
import { isCut } from '../chat/is-cut.ts';
import type { ToolExecutionRequest } from '../chat/message.ts';
import { subscribeEarly } from '../chat/subscribe-early.ts';
import { AiServiceRequestIssuedEvent, AiServiceResponseReceivedEvent } from '../event/model-events.ts';
import { asError } from '../tool/tool-errors.ts';
import type { CompensationReason } from '../tool/types.ts';
import { concludeRound, leaveRound } from './conclude-round.ts';
import { fireToolExecuted } from './fire-tool-executed.ts';
import { forgetCalls, limitError, limitOfCall, type LimitName } from './limits.ts';
import { mayDropText, mayRestart } from './may-restart.ts';
import { modelAnswers } from './model-answers.ts';
import { idAt, isIdle, listCalls, releaseIds, roundCalls } from './round-calls.ts';
import { malformedEvent, withoutResponse } from './round-errors.ts';
import type { Run } from './run.ts';
import { cutAnswer, withoutCalls } from './last-answer.ts';
import { closeCalls, settled, stopCalls } from './start-calls.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';
import { takeCall } from './take-call.ts';
import { aiMessageOf, type Turn } from './turn.ts';

/** The model's answer to a request, and the tools that it calls while it is streamed. */
export function turnOf(run: Run, request: ChatRequest): Observable<AiServiceStreamingEvent> {
  return new Observable((subscriber) => {
    const { invocation, gathered, policy, settings } = run;
    const { round } = gathered;
    /** A limit was hit before: whatever the model calls now, the invocation ends with this answer. */
    const isLast = gathered.limit !== undefined;
    let response: ChatResponse | undefined;
    let attributes: Turn['attributes'];
    let modelError: Turn['modelError'];
    let failedBy: CompensationReason = 'modelError';
    const streamedIds = new Set<string>();
    /** The complete calls as the model wrote them. */
    const requests: ToolExecutionRequest[] = [];
    let isModelDone = false;
    let isConcluding = false;
    let isConcluded = false;
    let model: Subscription | undefined;

    const turn = (): Turn => ({ request, response, attributes, modelError, failedBy, calls: listCalls(calls) });
    const conclude = () => {
      if (!isModelDone || isConcluding || subscriber.closed || !isIdle(calls)) return;
      isConcluding = true;
      const ended = turn();
      if (mayRestart(run, ended)) {
        gathered.restarts++;
        return restart(ended.modelError!.error);
      }
      fireToolExecuted(run, ended, () => subscriber.closed);
      // A listener has cancelled: what is to be written has been, by leaveRound.
      if (subscriber.closed) return;
      isConcluded = true;
      concludeRound(run, ended).subscribe(subscriber);
    };
    const calls = roundCalls(run, subscriber, conclude);

    const restart = (error: Error) => {
      isConcluded = true;
      forgetCalls(run, requests);
      releaseIds(calls);
      gathered.isTold = false;
      subscriber.next({ type: 'roundRestarted', error, invocation, round });
      // The stage ends without an answer, so that the next one is this round again.
      gathered.round--;
      subscriber.complete();
    };
    const fail = (error: unknown, by: CompensationReason = 'modelError') => {
      isModelDone = true;
      modelError = { error: asError(error) };
      failedBy = by;
      closeCalls(calls);
      conclude();
    };
    const failAtLimit = (limit: LimitName) => {
      model?.unsubscribe();
      fail(limitError(run, limit), 'limit');
    };
    const timeIsUp = () => {
      if (isConcluding || isLast) return;
      const mayAnswer = settings.limits?.then === 'answer';
      model?.unsubscribe();
      isModelDone = true;
      if (mayAnswer) {
        gathered.limit = 'duration';
        // Nothing of the round is worth keeping: its text goes, too.
        if (!response && !modelError && calls.byIndex.size === 0) {
          if (mayDropText(run)) return restart(limitError(run, 'duration'));
          // What was shown can't be taken back: it is the answer.
          response = cutAnswer(gathered.text);
        }
      } else if (!modelError) {
        modelError = { error: limitError(run, 'duration') };
        failedBy = 'limit';
      }
      stopCalls(calls, 'The tool was stopped: the time of the invocation is up.');
      conclude();
    };
    const tell = (event: AiServiceStreamingEvent) => {
      gathered.isTold = true;
      subscriber.next(event);
    };
    const completeCall = (index: number, call: ToolExecutionRequest) => {
      if (calls.byIndex.has(index)) throw new Error(`the call at index ${index} is complete already`);
      // Before any tool of the round starts: a round too many leaves no trace.
      requests.push(call);
      gathered.isTold = true;
      const limit = limitOfCall(run, call);
      if (!limit) return takeCall(calls, index, call);
      if (settings.limits?.then !== 'answer') return failAtLimit(limit);
      gathered.limit = limit;
      const what = limit === 'identicalToolCalls' ? 'calls like this one' : 'tool calls';
      takeCall(calls, index, call, `The tool was not called: the limit of ${what} is reached. Answer without further calls.`);
    };
    const receive = (received: ChatResponse) => {
      const usable = isLast ? withoutCalls(received) : received;
      const { toolExecutionRequests } = usable.aiMessage;
      response = usable;
      // Told while it streamed, under this place or, by models that count otherwise, under another.
      const isTold = new Set(toolExecutionRequests.filter(({ id }, index) => calls.byIndex.has(index) || streamedIds.has(id)));
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
          attributes = event.attributes ?? attributes;
          if (event.request.id) streamedIds.add(event.request.id);
          completeCall(event.index, event.request);
          break;
        case 'completeResponse':
          if (!response) receive(event.response);
          break;
        case 'retry':
        case 'raw':
          subscriber.next({ ...event, invocation, round });
      }
    };
    const endModel = () => {
      if (isModelDone) return;
      if (!response) return fail(withoutResponse(run));
      isModelDone = true;
      if (calls.byIndex.size > 0 && !isCut(response.finishReason)) {
        const intermediate = { ...response, aiMessage: aiMessageOf(turn(), gathered) };
        gathered.intermediateResponses.push(intermediate);
        subscriber.next({ type: 'intermediateResponse', response: intermediate, invocation, round });
      } else if (calls.asking.size > 0) {
        // Otherwise its end comes next, and tells the same.
        subscriber.next({ type: 'answerCut', response, invocation, round });
      }
      conclude();
    };

    subscriber.add(() => isConcluded || leaveRound(run, turn, settled(calls)));
    run.fire(() => new AiServiceRequestIssuedEvent({ invocation, request }));
    subscribeEarly(modelAnswers(run, request), { next: onEvent, error: fail, complete: endModel }, (subscription) => {
      model = subscription;
      subscriber.add(subscription);
    });
    if (!isConcluded) subscriber.add(run.clock?.onExpiry(timeIsUp));
  });
}
