import type { ToolExecutionRequest } from '../chat/message.ts';
import { isInner } from './inner-events.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';

/** A call that waits for a person. */
export interface WaitingCall {
  readonly request: ToolExecutionRequest;
  /** Whose call it is: the ids of calls may be the same in several invocations. */
  readonly invocationId: string;
  /** The call of the stream that it is inside of, where it is a call of a service that is a tool. */
  readonly within?: string;
}

/** Knows which calls of an invocation wait for a person, those inside a tool that is a service included. */
export interface ApprovalWatch {
  next(event: AiServiceStreamingEvent): void;
  /** Whether nothing goes on without a person: the model is done, and all calls that have not ended wait. */
  isIdle(): boolean;
  /** The calls that wait, in their order. */
  waiting(): readonly WaitingCall[];
  /** A person has answered: the call does not wait any more, whether or not it has begun. */
  decide(call: WaitingCall): void;
}

type Asked = Extract<AiServiceStreamingEvent, { readonly type: 'toolApprovalRequested' }>;

interface OpenCall {
  asked?: WaitingCall | undefined;
  /** What goes on in a tool that is a service; another invocation where it is tried again. */
  inner?: { readonly invocationId: string; readonly watch: ApprovalWatch };
}

/**
 * @param isForPerson - Whether it is a person's to answer: the application may have been asked itself.
 * @param within - Set for what goes on in the tool of this call.
 */
export function approvalWatch(
  isForPerson: (asked: Asked, within: string | undefined) => boolean,
  within?: string,
): ApprovalWatch {
  /** The calls of the round that have not ended, by their ids. */
  const open = new Map<string, OpenCall>();
  let round = 0;
  let isModelDone = false;
  const begin = (number: number) => {
    round = number;
    open.clear();
    isModelDone = false;
  };
  const nextInner = (id: string, event: AiServiceStreamingEvent) => {
    const call = open.get(id);
    if (!call) return;
    const { invocationId } = event.invocation;
    if (call.inner?.invocationId !== invocationId) {
      call.inner = { invocationId, watch: approvalWatch(isForPerson, within ?? id) };
    }
    call.inner.watch.next(event);
  };
  return {
    next(event) {
      if (event.round > round) begin(event.round);
      switch (event.type) {
        case 'completeToolCall':
        case 'beforeToolExecution':
          open.set(event.request.id, {});
          break;
        case 'toolApprovalRequested':
          if (isForPerson(event, within)) open.set(event.request.id, { asked: waitingCall(event, within) });
          break;
        case 'toolProgress':
          if (isInner(event.value)) nextInner(event.request.id, event.value);
          break;
        case 'afterToolExecution':
          open.delete(event.execution.request.id);
          break;
        case 'intermediateResponse':
        case 'answerCut':
          isModelDone = true;
          break;
        case 'roundRestarted':
          begin(event.round);
      }
    },
    isIdle() {
      const waits = ({ asked, inner }: OpenCall) => asked !== undefined || inner?.watch.isIdle() === true;
      return isModelDone && open.size > 0 && [...open.values()].every(waits);
    },
    waiting: () => [...open.values()].flatMap(({ asked, inner }) => (asked ? [asked] : (inner?.watch.waiting() ?? []))),
    decide(call) {
      for (const known of open.values()) {
        if (known.asked === call) known.asked = undefined;
        known.inner?.watch.decide(call);
      }
    },
  };
}

function waitingCall({ request, invocation: { invocationId } }: Asked, within: string | undefined): WaitingCall {
  return { request, invocationId, ...(within !== undefined && { within }) };
}
