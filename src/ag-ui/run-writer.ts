import { jsonSafe } from '../chat/json-safe.ts';
import { approvalWatch, type WaitingCall } from '../service/approval-watch.ts';
import { InvocationCancelledError } from '../service/service-errors.ts';
import type { AiServiceStreamingEvent } from '../service/streaming-event.ts';
import type { AgUiEvent, AgUiInterrupt, AgUiOutcome } from './ag-ui-event.ts';
import type { AgUiMessage } from './ag-ui-message.ts';
import { roundsWriter } from './rounds-writer.ts';
import { runError } from './run-error.ts';
import { usageTally } from './usage-tally.ts';

/**
 * Writes the events of one invocation as one run, or as several with an interrupt between them. What it is told while it writes, or
 * while no run goes on, waits for its turn: whoever is shown an event may do anything, as to leave. Never throws.
 */
export interface RunWriter {
  /** Begins a run. With the messages that the client has, those that were streamed can be taken back. */
  start(ids: RunIds, before?: readonly AgUiMessage[]): void;
  next(event: AiServiceStreamingEvent): void;
  /** A person has answered whether this call may run. */
  decide(callId: string): void;
  error(thrown: unknown): void;
  complete(): void;
  /** Takes up what has happened while no run went on. */
  takeUp(): void;
}

export interface RunIds {
  readonly threadId: string;
  readonly runId: string;
}

export interface RunWriterOptions {
  readonly emit: (event: AgUiEvent) => void;
  /** Makes the interrupt for a call that waits; absent: a run waits for approvals itself. */
  readonly interrupt?: ((call: WaitingCall, invocationId: string) => AgUiInterrupt) | undefined;
  readonly errorMessage: (error: Error) => string;
  /** An event could not be written: the run has ended with an error. */
  readonly onBroken?: () => void;
}

export function runWriter({ emit, interrupt, errorMessage, onBroken }: RunWriterOptions): RunWriter {
  const usage = usageTally();
  // What the application was asked itself it will answer.
  const watch = approvalWatch(({ answeredBy }) => answeredBy === undefined);
  let ids: RunIds | undefined;
  let invocationId = '';
  let lastMessage = 0;
  const rounds = roundsWriter(emit, () => `${invocationId}-${++lastMessage}`);
  let final: Extract<AiServiceStreamingEvent, { type: 'finalResponse' }> | undefined;

  /** What is still to be written, in order. */
  const pending: (() => void)[] = [];
  let isWriting = false;
  /** The last event of a run: told when all is written, since whoever is told may begin the next one at once. */
  let last: AgUiEvent | undefined;

  const write = (work: () => void) => {
    isWriting = true;
    try {
      work();
    } catch (error) {
      fail(error);
      onBroken?.();
    } finally {
      isWriting = false;
    }
    const ended = last;
    last = undefined;
    if (ended) emit(ended);
  };
  const takeUp = () => {
    while (!isWriting && ids && pending.length > 0) write(pending.shift()!);
  };
  const enqueue = (work: () => void) => {
    pending.push(work);
    takeUp();
  };

  const finish = (outcome: AgUiOutcome) => {
    if (!ids) return;
    rounds.close(outcome.type === 'interrupt' ? 'unwritten' : 'all');
    const { finishReason } = final?.response ?? {};
    const run = ids;
    ids = undefined;
    last = {
      type: 'RUN_FINISHED',
      ...run,
      outcome,
      ...(final && 'content' in final && { result: jsonSafe(final.content) }),
      ...usage.take(),
      ...(finishReason && { metadata: { finishReason } }),
    };
  };
  const fail = (thrown: unknown) => {
    if (!ids) return;
    ids = undefined;
    try {
      rounds.close('all');
    } finally {
      last = { ...runError(thrown, errorMessage), ...usage.take() };
    }
  };
  const count = (event: AiServiceStreamingEvent) => {
    if (event.type === 'intermediateResponse') usage.addRound(event.response);
    if (event.type !== 'finalResponse') return;
    usage.addFinal(event.response);
    final = event;
  };
  const interruptIfIdle = () => {
    if (!interrupt || !ids || !watch.isIdle()) return;
    finish({ type: 'interrupt', interrupts: watch.waiting().map((call) => interrupt(call, invocationId)) });
  };

  return {
    start(run, before) {
      ids = run;
      rounds.begin(before);
      write(() => emit({ type: 'RUN_STARTED', ...run, protocolVersion: '1.0' }));
    },
    next: (event) =>
      enqueue(() => {
        invocationId ||= event.invocation.invocationId;
        watch.next(event);
        count(event);
        rounds.write(event);
        interruptIfIdle();
      }),
    decide(callId) {
      for (const call of watch.waiting()) if (call.request.id === callId) watch.decide(call);
    },
    error: (thrown) => enqueue(() => (thrown instanceof InvocationCancelledError ? finish({ type: 'cancelled' }) : fail(thrown))),
    complete: () => enqueue(() => finish({ type: 'success' })),
    takeUp,
  };
}
