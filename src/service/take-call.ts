import { of } from 'rxjs';
import { jsonText } from '../chat/json-safe.ts';
import type { ToolExecutionRequest } from '../chat/message.ts';
import { subscribeEarly } from '../chat/subscribe-early.ts';
import { toolErrorVisibleToLlm } from '../tool/visible-to-llm.ts';
import { approval, type Approval } from './approval.ts';
import { newCall, type Call } from './call.ts';
import type { CallHandle } from './controls.ts';
import { failedOutcome, handled } from './failed-calls.ts';
import type { ApprovalDecision } from './options.ts';
import { resolveTool } from './resolve-tool.ts';
import { idAt, type RoundCalls } from './round-calls.ts';
import { endWith, enqueue, refuse } from './start-calls.ts';

type Decide = (decision: ApprovalDecision) => void;

/** A call is complete: tell, and run it as soon as approval, concurrency and order allow. With a refusal it gets that instead. */
export function takeCall(
  calls: RoundCalls,
  index: number,
  { id, name, arguments: written }: ToolExecutionRequest,
  refusal?: string,
): void {
  const { run, round, subscriber } = calls;
  const { tool, name: knownName } = resolveTool(run.tools.byName(), name);
  const request: ToolExecutionRequest = { id: idAt(calls, index, id), name: knownName, arguments: writtenText(written) };
  const call = newCall(request, knownName === name ? undefined : name, tool);
  calls.byIndex.set(index, call);
  const told = knownName === name ? request : { ...request, name };
  run.controls.calls?.set(request.id, handleOf(calls, call));
  subscriber.next({ type: 'completeToolCall', index, request: told, invocation: run.invocation, round });
  // Whoever was told may have cancelled it.
  if (call.instead) return;
  if (refusal !== undefined) refuse(calls, call, refusal);
  else if (tool?.needsApproval) ask(calls, call);
  else enqueue(calls, call);
}

function ask(calls: RoundCalls, call: Call): void {
  const { run, round, subscriber, asking } = calls;
  const { request } = call;
  const handles = run.controls.calls;
  const observer = {
    next: (answer: Approval) => {
      const { approved, reason } = answer;
      stopAsking(calls, call);
      if ('failure' in answer) endWith(calls, call, of(failedOutcome(answer.failure)));
      else if (approved) enqueue(calls, call);
      else refuse(calls, call, reason ? `The call was not approved: ${reason}` : 'The call was not approved.');
    },
    error: (thrown: unknown) => {
      stopAsking(calls, call);
      endWith(calls, call, handled(run, call, thrown));
    },
  };
  const requested = {
    onRequested: () =>
      subscriber.next({
        type: 'toolApprovalRequested',
        request,
        ...(run.settings.approveToolExecution && { answeredBy: 'approveToolExecution' }),
        invocation: run.invocation,
        round,
      }),
    decidable: handles && ((decide: Decide) => void handles.set(request.id, handleOf(calls, call, decide))),
  };
  subscribeEarly(approval(run, call, requested), observer, (subscription) => {
    asking.set(call, subscription);
    subscriber.add(subscription);
  });
}

function stopAsking({ asking }: RoundCalls, call: Call): void {
  asking.get(call)?.unsubscribe();
  asking.delete(call);
}

function handleOf(calls: RoundCalls, call: Call, decide?: Decide): CallHandle {
  return {
    cancel() {
      // What runs can be stopped once, also where the round has failed; what waits, as long as it may still run.
      const canEnd = calls.running.has(call) ? call.stop && !call.instead : !calls.isClosed;
      if (!canEnd || calls.subscriber.closed || call.execution) return false;
      const outcome$ = handled(calls.run, call, toolErrorVisibleToLlm(`The call of ${call.request.name} was cancelled.`));
      stopAsking(calls, call);
      if (call.stop) call.stop(outcome$);
      else endWith(calls, call, outcome$);
      return true;
    },
    decide(decision) {
      if (!decide || !calls.asking.has(call) || calls.subscriber.closed) return false;
      decide(decision);
      return true;
    },
  };
}

/** Models made by hand may hand over what is not text yet. */
function writtenText(written: unknown): string {
  if (typeof written === 'string') return written;
  return written === undefined ? '' : jsonText(written);
}
