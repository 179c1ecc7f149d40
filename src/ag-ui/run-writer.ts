import { ChatModelError } from '../chat/chat-model-error.ts';
import { isCut } from '../chat/is-cut.ts';
import { jsonSafe } from '../chat/json-safe.ts';
import { InvocationCancelledError } from '../service/service-errors.ts';
import type { AiServiceStreamingEvent } from '../service/streaming-event.ts';
import { asError } from '../tool/tool-errors.ts';
import type { AgUiEvent, AgUiInterrupt, AgUiOutcome } from './ag-ui-event.ts';
import type { AgUiMessage } from './ag-ui-message.ts';
import { approvalWatch, type WaitingCall } from './approval-watch.ts';
import { callParts, type CallParts } from './call-parts.ts';
import { customEvent } from './custom-events.ts';
import { textParts, type TextParts } from './text-parts.ts';
import { transcript, type Transcript } from './transcript.ts';
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
  /** Whether a run has begun and not ended. */
  isRunning(): boolean;
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

/** One round as it is written. A round that is asked for again is another one. */
interface RoundState {
  readonly text: TextParts;
  readonly calls: CallParts;
  readonly messageIds: string[];
  /** How many messages there were before it. */
  readonly begin: number;
}

export function runWriter({ emit: send, interrupt, errorMessage, onBroken }: RunWriterOptions): RunWriter {
  const usage = usageTally();
  const watch = approvalWatch();
  let ids: RunIds | undefined;
  let invocationId = '';
  let lastMessage = 0;
  let known: Transcript | undefined;
  let round: RoundState | undefined;
  let roundNumber = 0;
  let step: string | undefined;
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
    if (ended) send(ended);
  };
  const takeUp = () => {
    while (!isWriting && ids && pending.length > 0) write(pending.shift()!);
  };
  const enqueue = (work: () => void) => {
    pending.push(work);
    takeUp();
  };
  const emit = (event: AgUiEvent) => {
    known?.add(event);
    send(event);
  };
  const newRound = (): RoundState => {
    const messageIds: string[] = [];
    const newMessageId = () => {
      const id = `${invocationId}-${++lastMessage}`;
      messageIds.push(id);
      return id;
    };
    let ownerId: string | undefined;
    const owner = () => (ownerId ??= newMessageId());
    const onCorrected = (id: string, text: string) => {
      known?.correct(id, text);
      if (known) emit({ type: 'MESSAGES_SNAPSHOT', messages: known.messages() });
    };
    return {
      text: textParts(emit, newMessageId, owner),
      calls: callParts({ emit, newMessageId, owner, onCorrected }),
      messageIds,
      begin: known?.length() ?? 0,
    };
  };
  const closeRound = (answers: 'all' | 'unwritten') => {
    round?.text.close();
    round?.calls.close(answers);
    if (step !== undefined) emit({ type: 'STEP_FINISHED', stepName: step });
    step = undefined;
  };
  const roundOf = (event: AiServiceStreamingEvent): RoundState => {
    invocationId ||= event.invocation.invocationId;
    if (!round || event.round > roundNumber) {
      if (round) closeRound('all');
      round = newRound();
      roundNumber = event.round;
    }
    if (step === undefined && roundNumber > 0) {
      step = `round ${roundNumber}`;
      emit({ type: 'STEP_STARTED', stepName: step });
    }
    return round;
  };
  const finish = (outcome: AgUiOutcome) => {
    if (!ids) return;
    closeRound(outcome.type === 'interrupt' ? 'unwritten' : 'all');
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
      closeRound('all');
    } finally {
      const error = asError(thrown);
      const code = error instanceof ChatModelError ? error.kind : error.name;
      last = { type: 'RUN_ERROR', message: messageFor(error, errorMessage), ...(code && { code }), ...usage.take() };
    }
  };
  const interruptIfIdle = () => {
    if (!interrupt || !ids) return;
    const waiting = watch.waiting();
    if (waiting.length > 0) finish({ type: 'interrupt', interrupts: waiting.map((call) => interrupt(call, invocationId)) });
  };
  const restart = (event: Extract<AiServiceStreamingEvent, { type: 'roundRestarted' }>, dropped: RoundState) => {
    closeRound('all');
    const { messageIds } = dropped;
    emit({ type: 'CUSTOM', name: event.type, value: { round: event.round, messageIds, error: event.error.name } });
    if (known && known.length() > dropped.begin) {
      known.cut(dropped.begin);
      emit({ type: 'MESSAGES_SNAPSHOT', messages: known.messages() });
    }
    round = undefined;
  };
  const take = (event: AiServiceStreamingEvent) => {
    const { text, calls } = roundOf(event);
    switch (event.type) {
      case 'partialResponse':
        return text.say(event.text);
      case 'partialThinking':
        return text.think(event.text);
      case 'partialToolCall':
        text.close();
        return calls.write(event.id, event.name, event.partialArguments);
      case 'completeToolCall':
        text.close();
        return void calls.complete(event.request);
      case 'afterToolExecution':
        return calls.answer(event.execution);
      case 'intermediateResponse':
        text.close();
        return usage.addRound(event.response);
      case 'roundRestarted':
        return restart(event, round!);
      case 'finalResponse':
        return takeFinal(event, text);
    }
    const custom = customEvent(event);
    if (custom) emit(custom);
  };
  const takeFinal = (event: NonNullable<typeof final>, text: TextParts) => {
    final = event;
    usage.addFinal(event.response);
    const { aiMessage, finishReason } = event.response;
    // Guardrails hold the text back until it has passed. Beside calls that are the answer themselves, it is a preamble.
    const isAnswer = aiMessage.toolExecutionRequests.length === 0 || isCut(finishReason);
    if (isAnswer && aiMessage.text && !text.hasText()) text.say(aiMessage.text);
  };

  return {
    start(run, before) {
      ids = run;
      known = before && transcript(before);
      write(() => emit({ type: 'RUN_STARTED', ...run, protocolVersion: '1.0' }));
    },
    next: (event) =>
      enqueue(() => {
        watch.next(event);
        take(event);
        interruptIfIdle();
      }),
    decide: watch.decide,
    error: (thrown) => enqueue(() => (thrown instanceof InvocationCancelledError ? finish({ type: 'cancelled' }) : fail(thrown))),
    complete: () => enqueue(() => finish({ type: 'success' })),
    takeUp,
    isRunning: () => ids !== undefined,
  };
}

/** The run must end, whatever the application's function does. */
function messageFor(error: Error, errorMessage: (error: Error) => string): string {
  try {
    const message: unknown = errorMessage(error);
    if (typeof message === 'string' && message) return message;
  } catch {
    // Nobody is there to be told.
  }
  return 'The run has failed.';
}
