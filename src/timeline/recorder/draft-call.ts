import type { ToolExecutionRequest } from '../../chat/message.ts';
import type { CompensationReason, ToolExecution } from '../../tool/types.ts';
import type { CallOutcome, TimelineCall } from '../timeline.ts';
import type { Draft, Drafted } from './draft.ts';
import { errorText, shortText } from './short-text.ts';

/** The call at a place of the turn, which begins to be written now unless it has. */
export function callAt(
  draft: Draft,
  index: number,
  round: number,
  at: number,
  { id, name }: { id: string; name: string },
): Drafted<TimelineCall> {
  const call = draft.byIndex.get(index) ?? newCall(draft, round, at, { id, name });
  draft.byIndex.set(index, call);
  return call;
}

/** The model has finished writing it. */
export function completeCall(draft: Draft, call: Drafted<TimelineCall>, at: number, request: ToolExecutionRequest): void {
  call.written.end ??= at;
  call.id = request.id;
  call.name = request.name;
  call.arguments = shortText(request.arguments, draft.maxText);
  draft.byId.set(request.id, call);
}

/** The call that a request belongs to, also where its beginning was not seen. */
export function callOf(draft: Draft, request: ToolExecutionRequest, round: number, at: number): Drafted<TimelineCall> {
  const known = draft.byId.get(request.id);
  if (known) return known;
  const call = newCall(draft, round, at, request);
  completeCall(draft, call, at, request);
  return call;
}

export function newCall(
  { timeline }: Draft,
  round: number,
  at: number,
  { id, name }: { id: string; name: string },
): Drafted<TimelineCall> {
  const call: Drafted<TimelineCall> = {
    id,
    name,
    round,
    written: { start: at },
    progress: [],
    progressCount: 0,
    outcome: 'unfinished',
    arguments: '',
  };
  timeline.calls.push(call);
  return call;
}

export function startCall(call: Drafted<TimelineCall>, at: number): void {
  answerApproval(call, at, true);
  call.start = at;
}

export function endCall(draft: Draft, call: Drafted<TimelineCall>, at: number, execution: ToolExecution): void {
  call.outcome = outcomeOf(call, execution);
  call.end = at;
  call.result = shortText(execution.result, draft.maxText);
  answerApproval(call, at, call.outcome === 'denied' ? false : undefined);
}

/** Nothing tells of the answer: it is when the call starts or ends. */
function answerApproval({ approval }: Drafted<TimelineCall>, at: number, approved: boolean | undefined): void {
  if (!approval || approval.answered !== undefined) return;
  approval.answered = at;
  if (approved !== undefined) approval.approved = approved;
}

function outcomeOf({ start }: Drafted<TimelineCall>, { hasFailed, error, request }: ToolExecution): CallOutcome {
  if (!hasFailed) return 'ok';
  // A person or a limit has said no: it never ran, and there is nothing that went wrong.
  if (!error) return start === undefined ? 'denied' : 'error';
  // The service has no other word for a call that was ended by hand.
  return error.message === `The call of ${request.name} was cancelled.` ? 'cancelled' : 'error';
}

/** Told by the stream and by the service's events, maybe both. */
export function undoneCall(
  draft: Draft,
  { execution, reason, error }: { execution: ToolExecution; reason: CompensationReason; error?: Error | undefined },
  at: number,
): void {
  const round = draft.timeline.rounds.at(-1)?.number ?? 1;
  const call = callOf(draft, execution.request, round, at);
  // Left to settle when the invocation was given up: it has succeeded since.
  if (call.outcome === 'cancelled' && call.start !== undefined && !execution.hasFailed) {
    call.outcome = 'ok';
    call.end = Math.min(at, call.start + execution.duration);
    call.result = shortText(execution.result, draft.maxText);
  }
  call.compensation ??= { at, reason, ...(error && { error: errorText(error, draft.maxText) }) };
}
