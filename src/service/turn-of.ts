import { Observable, type Subscription } from 'rxjs';
import type { ChatModelEvent } from '../chat/chat-model.ts';
import type { ChatRequest } from '../chat/chat-request.ts';
import { isCut } from '../chat/is-cut.ts';
import { subscribeEarly } from '../chat/subscribe-early.ts';
import { AiServiceRequestIssuedEvent } from '../event/model-events.ts';
import { asError } from '../tool/tool-errors.ts';
import type { CompensationReason } from '../tool/types.ts';
import { answerReader } from './answer-reader.ts';
import { concludeRound, leaveRound } from './conclude-round.ts';
import { fireToolExecuted } from './fire-tool-executed.ts';
import { cutAnswer } from './last-answer.ts';
import { forgetCalls, limitError, type LimitName } from './limits.ts';
import { mayDropText, mayRestart } from './may-restart.ts';
import { modelAnswers } from './model-answers.ts';
import { isIdle, listCalls, releaseIds, roundCalls } from './round-calls.ts';
import { malformedEvent, withoutResponse } from './round-errors.ts';
import type { Run } from './run.ts';
import { closeCalls, settled, stopCalls } from './start-calls.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';
import { aiMessageOf, type Turn } from './turn.ts';

/** The model's answer to a request, and the tools that it calls while it is streamed. */
export function turnOf(run: Run, request: ChatRequest): Observable<AiServiceStreamingEvent> {
  return new Observable((subscriber) => {
    const { invocation, gathered, settings } = run;
    const { round } = gathered;
    /** A limit was hit before: the invocation ends with this answer. */
    const isLast = gathered.limit !== undefined;
    let modelError: Turn['modelError'];
    let failedBy: CompensationReason = 'modelError';
    let isModelDone = false;
    let isConcluding = false;
    let isConcluded = false;
    let model: Subscription | undefined;

    const turn = (): Turn => {
      const { response, attributes } = answer;
      return { request, response, attributes, modelError, failedBy, calls: listCalls(calls) };
    };
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
      forgetCalls(run, answer.requests);
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
        if (!answer.response && !modelError && calls.byIndex.size === 0) {
          if (mayDropText(run)) return restart(limitError(run, 'duration'));
          // What was shown can't be taken back: it is the answer.
          answer.response = cutAnswer(gathered.text);
        }
      } else if (!modelError) {
        modelError = { error: limitError(run, 'duration') };
        failedBy = 'limit';
      }
      stopCalls(calls, 'The tool was stopped: the time of the invocation is up.');
      conclude();
    };
    const answer = answerReader(calls, request, () => isModelDone, failAtLimit);
    const onEvent = (event: ChatModelEvent) => {
      if (isModelDone) return;
      try {
        answer.take(event);
      } catch (cause) {
        // Thrown out of an observer it would be nobody's error, and end the process.
        model?.unsubscribe();
        fail(malformedEvent(run, cause));
      }
    };
    const endModel = () => {
      if (isModelDone) return;
      const { response } = answer;
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
