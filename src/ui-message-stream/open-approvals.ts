import { approvalWatch, type WaitingCall } from '../service/approval-watch.ts';
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

export function openApprovals(): OpenApprovals {
  // What a service inside decides itself the user is not asked for.
  const watch = approvalWatch(({ answeredBy }, within) => within === undefined || answeredBy === undefined);
  const find = (decision: UiDecision) => watch.waiting().find((call) => isOf(decision, call));
  return {
    note: watch.next,
    areAwaited: watch.isIdle,
    isAwaited: (decision) => find(decision) !== undefined,
    take: (decisions) =>
      decisions.flatMap((decision) => {
        const call = find(decision);
        if (!call) return [];
        watch.decide(call);
        return [{ ...decision, toolCallId: call.request.id }];
      }),
  };
}

function isOf({ approvalId, toolCallId }: UiDecision, { request, invocationId, within }: WaitingCall): boolean {
  const id = approvalIdOf(invocationId, request.id);
  // The part of a call inside has the id of its approval: its own may be another's, too.
  return approvalId === id && toolCallId === (within === undefined ? request.id : id);
}
