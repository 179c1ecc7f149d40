import { Observable, of, type Subscriber, type Subscription } from 'rxjs';
import type { ToolExecutionRequest } from '../chat/message.ts';
import { subscribeEarly } from '../chat/subscribe-early.ts';
import { textResult } from '../tool/tool-result.ts';
import { toolErrorVisibleToLlm } from '../tool/visible-to-llm.ts';
import { approval } from './approval.ts';
import { handled } from './call-outcome.ts';
import { newCall, type Call, type CallOutcome } from './call.ts';
import { callIds } from './call-ids.ts';
import { settleTime, undoesTools } from './compensation.ts';
import { executeCall } from './execute-call.ts';
import { nextCall } from './next-call.ts';
import type { ApprovalDecision } from './options.ts';
import { resolveTool } from './resolve-tool.ts';
import type { Run } from './run.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';

/** The calls of one round, from the first word of the model to the last result. */
export interface RoundCalls {
  /** The id of the call at this place of the turn, unique in the history, whatever the provider gave it. */
  idAt(index: number, providerId: string): string;
  /** A call is complete: tell, and run it as soon as approval and concurrency allow. With a refusal it gets that instead. */
  complete(index: number, request: ToolExecutionRequest, refusal?: string): void;
  has(index: number): boolean;
  /** In request order. */
  list(): readonly Call[];
  /** Whether nothing runs and nothing will. */
  isIdle(): boolean;
  /** Starts no further call. */
  close(): void;
  /** Gives all that waits and runs this result; what may have to be undone has time to settle. */
  stop(text: string): void;
  /** Completes when the calls that were left running have settled, or have had the time for it. */
  settled(): Observable<never>;
}

export function roundCalls(run: Run, subscriber: Subscriber<AiServiceStreamingEvent>, onIdle: () => void): RoundCalls {
  const { round } = run.gathered;
  const { scheduler } = run.settings;
  const calls = new Map<number, Call>();
  const ids = callIds(run);
  const asking = new Map<Call, Subscription>();
  const waiting: Call[] = [];
  const running = new Map<Call, Subscription>();
  let isClosed = false;
  let isStarting = false;
  let onSettled: (() => void) | undefined;

  const emit = (event: AiServiceStreamingEvent) => subscriber.next(event);
  const settles = ({ tool, instead }: Call) =>
    !instead && undoesTools(run) && tool?.compensate !== undefined && !tool.undoesItself;
  const settling = () => [...running.keys()].filter(settles);

  const startWaiting = () => {
    // A synchronous tool ends while it is being started: the loop takes the next, not a deeper call.
    if (isStarting) return;
    isStarting = true;
    while (!isClosed && running.size < run.policy.toolConcurrency && waiting.length > 0 && !subscriber.closed) {
      const call = nextCall(waiting, running.keys());
      if (!call) break;
      start(call);
    }
    isStarting = false;
  };
  const start = (call: Call) => {
    const complete = () => {
      running.delete(call);
      run.controls.calls?.delete(call.request.id);
      if (call.failure) close();
      startWaiting();
      onIdle();
      onSettled?.();
    };
    subscribeEarly(executeCall(run, round, call), { next: emit, complete }, (subscription) => {
      running.set(call, subscription);
      // What may have to be undone runs on when the round is given up, so that it is known what there is to undo.
      if (!settles(call)) subscriber.add(subscription);
    });
  };
  const enqueue = (call: Call) => {
    waiting.push(call);
    startWaiting();
  };
  /** The call does not run: it has its outcome, and waits for nobody. */
  const endWith = (call: Call, outcome$: Observable<CallOutcome>) => {
    if (waiting.includes(call)) waiting.splice(waiting.indexOf(call), 1);
    call.instead = outcome$;
    start(call);
  };
  const refuse = (call: Call, text: string) => {
    call.isRefused = true;
    endWith(call, of({ result: textResult(text, true) }));
  };
  const ask = (call: Call) => {
    const { request } = call;
    const handles = run.controls.calls;
    const answered = () => {
      asking.get(call)?.unsubscribe();
      asking.delete(call);
    };
    const observer = {
      next: ({ approved, reason }: { approved: boolean; reason?: string }) => {
        answered();
        if (approved) enqueue(call);
        else refuse(call, reason ? `The call was not approved: ${reason}` : 'The call was not approved.');
      },
      error: (thrown: unknown) => {
        answered();
        endWith(call, handled(run, call, thrown));
      },
    };
    const requested = {
      onRequested: () => emit({ type: 'toolApprovalRequested', request, invocation: run.invocation, round }),
      decidable: handles && ((decide: (decision: ApprovalDecision) => void) => handles.set(request.id, handleOf(call, decide))),
    };
    subscribeEarly(approval(run, call, requested), observer, (subscription) => {
      asking.set(call, subscription);
      subscriber.add(subscription);
    });
  };
  const handleOf = (call: Call, decide?: (decision: ApprovalDecision) => void) => ({
    cancel: () => {
      const isOver = subscriber.closed || isClosed || call.execution !== undefined;
      if (isOver) return false;
      const outcome$ = handled(run, call, toolErrorVisibleToLlm(`The call of ${call.request.name} was cancelled.`));
      asking.get(call)?.unsubscribe();
      asking.delete(call);
      if (call.stop) call.stop(outcome$);
      else endWith(call, outcome$);
      return true;
    },
    decide: (decision: ApprovalDecision) => {
      if (!decide || !asking.has(call)) return false;
      decide(decision);
      return true;
    },
  });
  const close = () => {
    isClosed = true;
    for (const subscription of asking.values()) subscription.unsubscribe();
    asking.clear();
  };

  return {
    idAt: ids.at,
    has: (index) => calls.has(index),
    complete(index, { id, name, arguments: text = '' }, refusal) {
      const { tool, name: knownName } = resolveTool(run.tools.byName, name);
      const request: ToolExecutionRequest = { id: ids.at(index, id), name: knownName, arguments: text };
      const call = newCall(request, knownName === name ? undefined : name, tool);
      calls.set(index, call);
      const told = knownName === name ? request : { ...request, name };
      emit({ type: 'completeToolCall', index, request: told, invocation: run.invocation, round });
      run.controls.calls?.set(request.id, handleOf(call));
      if (refusal !== undefined) refuse(call, refusal);
      else if (tool?.needsApproval) ask(call);
      else enqueue(call);
    },
    list: () => [...calls].sort(([one], [other]) => one - other).map(([, call]) => call),
    isIdle: () => running.size === 0 && (isClosed || (waiting.length === 0 && asking.size === 0)),
    close,
    stop(text) {
      const outcome$ = of<CallOutcome>({ result: textResult(text, true) });
      const left = settling();
      const unstarted = [...waiting, ...asking.keys()];
      close();
      for (const call of [...running.keys()]) if (!left.includes(call)) call.stop?.(outcome$);
      for (const call of unstarted) refuse(call, text);
      const stopLeft = () => {
        for (const call of left) call.stop?.(outcome$);
      };
      if (left.length > 0) subscriber.add(scheduler.schedule(stopLeft, settleTime(run)));
    },
    settled: () =>
      new Observable((settled) => {
        onSettled = () => settling().length > 0 || settled.complete();
        onSettled();
        if (settled.closed) return;
        const giveUp = () => {
          for (const call of settling()) running.get(call)?.unsubscribe();
          settled.complete();
        };
        return scheduler.schedule(giveUp, settleTime(run));
      }),
  };
}
