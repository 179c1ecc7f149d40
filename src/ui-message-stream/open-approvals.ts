import { isInner } from '../service/inner-events.ts';
import type { AiServiceStreamingEvent } from '../service/streaming-event.ts';
import { approvalIdOf } from './approval-id-of.ts';
import type { UiDecision } from './from-ui-messages.ts';

/** Which calls of an invocation's round wait for the user, also those inside a tool that is a service. */
export interface OpenApprovals {
  note(event: AiServiceStreamingEvent): void;
  /** Whether nothing goes on without the user: the model is done, and all calls that have not ended wait. */
  areAwaited(): boolean;
  isAwaited(decision: UiDecision): boolean;
  /** Decides on what waits, by the ids of the calls: that does not wait any more, whether or not it has begun. */
  take(decisions: readonly UiDecision[]): readonly UiDecision[];
}

interface OpenCall {
  /** The approval that it waits for. */
  waitsFor?: string | undefined;
  /** What goes on in a tool that is a service; another invocation where it is tried again. */
  inner?: { readonly invocationId: string; readonly approvals: Approvals };
}

interface Approvals extends Pick<OpenApprovals, 'note' | 'areAwaited'> {
  find(decision: UiDecision): { readonly id: string; readonly call: OpenCall } | undefined;
}

export function openApprovals(): OpenApprovals {
  const approvals = approvalsOf(false);
  return {
    note: approvals.note,
    areAwaited: approvals.areAwaited,
    isAwaited: (decision) => approvals.find(decision) !== undefined,
    take: (decisions) =>
      decisions.flatMap((decision) => {
        const found = approvals.find(decision);
        if (!found) return [];
        found.call.waitsFor = undefined;
        return [{ ...decision, toolCallId: found.id }];
      }),
  };
}

function approvalsOf(isInside: boolean): Approvals {
  let isModelDone = false;
  /** The calls that have not ended, by id. */
  const calls = new Map<string, OpenCall>();
  const noteInner = (call: OpenCall, event: AiServiceStreamingEvent) => {
    const { invocationId } = event.invocation;
    if (call.inner?.invocationId !== invocationId) call.inner = { invocationId, approvals: approvalsOf(true) };
    call.inner.approvals.note(event);
  };
  return {
    note(event) {
      switch (event.type) {
        case 'completeToolCall':
          if (calls.size === 0) isModelDone = false;
          calls.set(event.request.id, {});
          break;
        case 'toolApprovalRequested':
          // What a service inside decides itself the user is not asked for.
          if (isInside && event.answeredBy !== undefined) break;
          calls.set(event.request.id, { waitsFor: approvalIdOf(event.invocation.invocationId, event.request.id) });
          break;
        case 'beforeToolExecution':
          calls.set(event.request.id, {});
          break;
        case 'toolProgress': {
          const call = calls.get(event.request.id);
          if (call && isInner(event.value)) noteInner(call, event.value);
          break;
        }
        case 'afterToolExecution':
          calls.delete(event.execution.request.id);
          break;
        case 'intermediateResponse':
        case 'answerCut':
          isModelDone = true;
          break;
        case 'roundRestarted':
          calls.clear();
      }
    },
    areAwaited() {
      const waits = ({ waitsFor, inner }: OpenCall) => waitsFor !== undefined || inner?.approvals.areAwaited() === true;
      return isModelDone && calls.size > 0 && [...calls.values()].every(waits);
    },
    find(decision) {
      for (const [id, call] of calls) {
        // The part of a call inside has the id of its approval: its own may be another's, too.
        const partId = isInside ? call.waitsFor : id;
        if (call.waitsFor === decision.approvalId && partId === decision.toolCallId) return { id, call };
        const found = call.inner?.approvals.find(decision);
        if (found) return found;
      }
      return undefined;
    },
  };
}
