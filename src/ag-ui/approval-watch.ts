import type { ToolExecutionRequest } from '../chat/message.ts';
import { isInner } from '../service/inner-events.ts';
import type { AiServiceStreamingEvent } from '../service/streaming-event.ts';

/** A call that waits for a person. */
export interface WaitingCall {
  readonly request: ToolExecutionRequest;
  /** The call of the stream that it belongs to: itself, or that of the service whose tool it calls. */
  readonly toolCallId: string;
}

/** Knows when an invocation does nothing but wait for approvals. */
export interface ApprovalWatch {
  next(event: AiServiceStreamingEvent): void;
  /** A person has answered. */
  decide(id: string): void;
  /** The calls that wait, where nothing else goes on; otherwise none. */
  waiting(): readonly WaitingCall[];
}

interface OpenCall {
  asked?: ToolExecutionRequest;
  /** What goes on in a tool that is a service. */
  inner?: ApprovalWatch;
}

export function approvalWatch(): ApprovalWatch {
  /** The calls of the round that have no result. */
  const open = new Map<string, OpenCall>();
  let round = 0;
  let isAnswered = false;
  const begin = (number: number) => {
    round = number;
    open.clear();
    isAnswered = false;
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
          // What the application was asked itself it will answer.
          if (event.answeredBy === undefined) open.set(event.request.id, { asked: event.request });
          break;
        case 'toolProgress': {
          const call = open.get(event.request.id);
          if (call && isInner(event.value)) (call.inner ??= approvalWatch()).next(event.value);
          break;
        }
        case 'afterToolExecution':
          open.delete(event.execution.request.id);
          break;
        case 'intermediateResponse':
        case 'answerCut':
          isAnswered = true;
          break;
        case 'roundRestarted':
          begin(event.round);
      }
    },
    decide(id) {
      delete open.get(id)?.asked;
      for (const { inner } of open.values()) inner?.decide(id);
    },
    waiting() {
      if (!isAnswered) return [];
      const calls = [...open].map(([toolCallId, { asked, inner }]): readonly WaitingCall[] =>
        asked ? [{ request: asked, toolCallId }] : (inner?.waiting() ?? []).map(({ request }) => ({ request, toolCallId })),
      );
      return calls.every(({ length }) => length > 0) ? calls.flat() : [];
    },
  };
}
