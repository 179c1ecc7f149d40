import { isCut } from '../chat/is-cut.ts';
import type { AiServiceStreamingEvent } from '../service/streaming-event.ts';
import type { AgUiEvent } from './ag-ui-event.ts';
import type { AgUiMessage } from './ag-ui-message.ts';
import { callParts, type CallParts } from './call-parts.ts';
import { customEvent } from './custom-events.ts';
import { textParts, type TextParts } from './text-parts.ts';
import { transcript, type Transcript } from './transcript.ts';

/** Writes the rounds of an invocation as steps, with what is said and called in them. A run may end in the middle of one. */
export interface RoundsWriter {
  /** A run has begun. With the messages that the client has, those that were streamed can be taken back. */
  begin(before: readonly AgUiMessage[] | undefined): void;
  write(event: AiServiceStreamingEvent): void;
  /** Ends what is open. With `all` each call without an answer gets a neutral one, otherwise only those still being written. */
  close(answers: 'all' | 'unwritten'): void;
}

/** One round as it is written. A round that is asked for again is another one. */
interface RoundState {
  readonly text: TextParts;
  readonly calls: CallParts;
  readonly messageIds: string[];
  /** How many messages there were before it. */
  readonly begin: number;
}

type EventOf<Type extends AiServiceStreamingEvent['type']> = Extract<AiServiceStreamingEvent, { type: Type }>;

export function roundsWriter(send: (event: AgUiEvent) => void, messageId: () => string): RoundsWriter {
  let known: Transcript | undefined;
  let round: RoundState | undefined;
  let roundNumber = 0;
  let step: string | undefined;

  const emit = (event: AgUiEvent) => {
    known?.add(event);
    send(event);
  };
  const newRound = (): RoundState => {
    const messageIds: string[] = [];
    const newMessageId = () => {
      const id = messageId();
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
  const close = (answers: 'all' | 'unwritten') => {
    round?.text.close();
    round?.calls.close(answers);
    if (step !== undefined) emit({ type: 'STEP_FINISHED', stepName: step });
    step = undefined;
  };
  const roundOf = (event: AiServiceStreamingEvent): RoundState => {
    if (!round || event.round > roundNumber) {
      if (round) close('all');
      round = newRound();
      roundNumber = event.round;
    }
    if (step === undefined && roundNumber > 0) {
      step = `round ${roundNumber}`;
      emit({ type: 'STEP_STARTED', stepName: step });
    }
    return round;
  };
  const restart = (event: EventOf<'roundRestarted'>, { messageIds, begin }: RoundState) => {
    close('all');
    emit({ type: 'CUSTOM', name: event.type, value: { round: event.round, messageIds, error: event.error.name } });
    if (known && known.length() > begin) {
      known.cut(begin);
      emit({ type: 'MESSAGES_SNAPSHOT', messages: known.messages() });
    }
    round = undefined;
  };

  return {
    begin: (before) => void (known = before && transcript(before)),
    write(event) {
      const told = roundOf(event);
      const { text, calls } = told;
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
          return text.close();
        case 'roundRestarted':
          return restart(event, told);
        case 'finalResponse':
          return sayAnswer(event, text);
      }
      const custom = customEvent(event);
      if (custom) emit(custom);
    },
    close,
  };
}

/** Guardrails hold the text back until it has passed. Beside calls that are the answer themselves, it is a preamble. */
function sayAnswer({ response: { aiMessage, finishReason } }: EventOf<'finalResponse'>, text: TextParts): void {
  const isAnswer = aiMessage.toolExecutionRequests.length === 0 || isCut(finishReason);
  if (isAnswer && aiMessage.text && !text.hasText()) text.say(aiMessage.text);
}
