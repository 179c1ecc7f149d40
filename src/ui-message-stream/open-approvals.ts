import type { AiServiceStreamingEvent } from '../service/streaming-event.ts';
import { approvalIdOf } from './approval-id-of.ts';
import type { UiDecision } from './from-ui-messages.ts';

/** Which calls of an invocation's round wait for the user. */
export interface OpenApprovals {
  note(event: AiServiceStreamingEvent): void;
  /** Whether nothing goes on without the user: the model is done, and all calls that have not ended wait. */
  areAwaited(): boolean;
  isAwaited(decision: UiDecision): boolean;
  /** Decides on what waits: that does not wait any more, whether or not it has begun. */
  take(decisions: readonly UiDecision[]): readonly UiDecision[];
}

export function openApprovals(): OpenApprovals {
  let isModelDone = false;
  /** The calls that have not ended, by id: the id of the approval that they wait for, if any. */
  const calls = new Map<string, string | undefined>();
  const isAwaited = ({ toolCallId, approvalId }: UiDecision) => calls.get(toolCallId) === approvalId;
  return {
    isAwaited,
    note(event) {
      switch (event.type) {
        case 'completeToolCall':
          if (calls.size === 0) isModelDone = false;
          calls.set(event.request.id, undefined);
          break;
        case 'toolApprovalRequested':
          calls.set(event.request.id, approvalIdOf(event.invocation.invocationId, event.request.id));
          break;
        case 'beforeToolExecution':
          calls.set(event.request.id, undefined);
          break;
        case 'afterToolExecution':
          calls.delete(event.execution.request.id);
          break;
        case 'intermediateResponse':
          isModelDone = true;
          break;
        case 'roundRestarted':
          calls.clear();
      }
    },
    areAwaited: () => isModelDone && calls.size > 0 && [...calls.values()].every((waitsFor) => waitsFor !== undefined),
    take(decisions) {
      const taken = decisions.filter(isAwaited);
      for (const { toolCallId } of taken) calls.set(toolCallId, undefined);
      return taken;
    },
  };
}
