import { Observable, of } from 'rxjs';
import { subscribeEarly } from '../chat/subscribe-early.ts';
import { textResult } from '../tool/tool-result.ts';
import type { Call, CallOutcome } from './call.ts';
import { executeCall } from './execute-call.ts';
import { nextCall } from './next-call.ts';
import type { RoundCalls } from './round-calls.ts';
import { settleTime } from './settle-time.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';
import { tellUnsettled } from './tell-unsettled.ts';
import { mustSettle } from './undone-when-late.ts';

/** Runs a call as soon as the concurrency and the order allow. */
export function enqueue(calls: RoundCalls, call: Call): void {
  calls.waiting.push(call);
  startWaiting(calls);
}

function startWaiting(calls: RoundCalls): void {
  const { run, running, waiting, subscriber } = calls;
  // A synchronous tool ends while it is being started: the loop takes the next, not a deeper call.
  if (calls.isStarting) return;
  calls.isStarting = true;
  while (!calls.isClosed && running.size < run.policy.toolConcurrency && waiting.length > 0 && !subscriber.closed) {
    const call = nextCall(waiting, running);
    if (!call) break;
    start(calls, call);
  }
  calls.isStarting = false;
}

function start(calls: RoundCalls, call: Call): void {
  const { run, round, running, subscriber } = calls;
  const observer = {
    next: (event: AiServiceStreamingEvent) => subscriber.next(event),
    complete: () => {
      running.delete(call);
      run.controls.calls?.delete(call.request.id);
      if (call.failure) closeCalls(calls);
      startWaiting(calls);
      calls.onEnd();
      calls.onSettled?.();
    },
  };
  subscribeEarly(executeCall(run, round, call), observer, (subscription) => {
    running.set(call, subscription);
    // Asked when the round is given up: what has not begun by then does not begin any more.
    subscriber.add(call.tool?.compensate ? () => mustSettle(calls.run, call) || subscription.unsubscribe() : subscription);
  });
}

/** The call does not run: it has its outcome, and waits for nobody. */
export function endWith(calls: RoundCalls, call: Call, outcome$: Observable<CallOutcome>): void {
  const place = calls.waiting.indexOf(call);
  if (place >= 0) calls.waiting.splice(place, 1);
  call.instead = outcome$;
  start(calls, call);
  // Nobody has to wait for it either.
  startWaiting(calls);
}

/** A person or a limit has said no. */
export function refuse(calls: RoundCalls, call: Call, text: string): void {
  call.isRefused = true;
  endWith(calls, call, of({ result: textResult(text, true) }));
}

/** Starts no further call. */
export function closeCalls(calls: RoundCalls): void {
  calls.isClosed = true;
  for (const subscription of calls.asking.values()) subscription.unsubscribe();
  calls.asking.clear();
}

/** Gives all that waits and runs this result; what may have to be undone has time to settle. */
export function stopCalls(calls: RoundCalls, text: string): void {
  const { run, running, subscriber } = calls;
  const outcome$ = of<CallOutcome>({ result: textResult(text, true) });
  const unstarted = [...calls.waiting, ...calls.asking.keys()];
  closeCalls(calls);
  calls.isStopping = true;
  const settling = settlingCalls(calls);
  for (const call of [...running.keys()]) if (!settling.includes(call)) call.stop?.(outcome$);
  for (const call of unstarted) refuse(calls, call, text);
  calls.isStopping = false;
  if (settling.length === 0) return;
  const stopLeft = () => {
    for (const call of settling) call.stop?.(outcome$);
  };
  subscriber.add(run.settings.scheduler.schedule(stopLeft, settleTime(run)));
}

/** Completes when the calls that were left running have settled, or have had the time for it. */
export function settled(calls: RoundCalls): Observable<never> {
  return new Observable((subscriber) => {
    const { run, running } = calls;
    const leave = () => {
      if (settlingCalls(calls).length === 0) subscriber.complete();
    };
    const giveUp = () => {
      for (const call of settlingCalls(calls)) {
        running.get(call)?.unsubscribe();
        tellUnsettled(run, call);
      }
      subscriber.complete();
    };
    calls.onSettled = leave;
    leave();
    return subscriber.closed ? undefined : run.settings.scheduler.schedule(giveUp, settleTime(run));
  });
}

const settlingCalls = (calls: RoundCalls): readonly Call[] =>
  [...calls.running.keys()].filter((call) => mustSettle(calls.run, call));
