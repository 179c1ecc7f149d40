import type { Invocation } from '../../src/service/start-invocation.ts';
import type { AiServiceStreamingEvent } from '../../src/service/streaming-event.ts';
import { watchOf } from './watch.ts';

/**
 * What somebody does from outside to an invocation that was started: approvals are given where nobody else does, and those who
 * meddle cancel calls in the midst.
 */
export function meddle(invocation: Invocation, event: AiServiceStreamingEvent, meddles: boolean): void {
  if (event.type === 'toolApprovalRequested' && (meddles || !event.answeredBy)) {
    const { id } = event.request;
    setTimeout(() => invocation.decideToolCall(id, id.length % 3 > 0 || { approved: false, reason: 'Not this one.' }), 3);
  }
  if (!meddles || event.type !== 'beforeToolExecution') return;
  const { id } = event.request;
  // At once, soon, or when it may be over.
  const delay = id.length % 4;
  const cancel = () => {
    const { runs } = watchOf(event.invocation.parameters)!.ledger;
    const run = runs.find(({ callId, outcome }) => callId === id && outcome === 'running');
    if (invocation.cancelToolCall(id) && run) run.isStopped = true;
  };
  if (delay === 0) cancel();
  else setTimeout(cancel, delay * 4);
}
