import { jsonSafe } from '../chat/json-safe.ts';
import { InvocationCancelledError } from '../service/service-errors.ts';
import type { AiServiceStreamingEvent } from '../service/streaming-event.ts';
import { asError } from '../tool/tool-errors.ts';
import { sourceChunks } from './source-chunks.ts';
import { toolParts } from './tool-parts.ts';
import type { UiFinishReason, UiMessageChunk } from './ui-message-chunk.ts';
import type { UiMessageStreamSettings } from './ui-message-stream-options.ts';

/** Tells what happens in one invocation as chunks. */
export interface UiMessageWriter {
  /** The message begins; behind `pause` it goes on. */
  begin(): void;
  write(event: AiServiceStreamingEvent): void;
  /** The response ends here, the message does not. */
  pause(): void;
  fail(error: unknown): void;
  /** The events have ended: where no answer was among them somebody has cut them off. */
  end(): void;
}

type Said = 'text' | 'reasoning';
type EventOf<Type extends AiServiceStreamingEvent['type']> = Extract<AiServiceStreamingEvent, { type: Type }>;

export function uiMessageWriter(settings: UiMessageStreamSettings, emit: (chunk: UiMessageChunk) => void): UiMessageWriter {
  const { errorText, messageId, messageMetadata, sendReasoning, sendSources } = settings;
  const tools = toolParts(settings, emit);
  /** The round whose step is open. */
  let step: number | undefined;
  /** Its end was told with that of a response: what still comes of it belongs to it. */
  let isStepPaused = false;
  /** What is being said: a step may say several things, and calls may stand between them. */
  let open: { readonly kind: Said; readonly id: string } | undefined;
  let parts = 0;
  /** Whether the step has text; where guardrails hold it back, it comes with the answer. */
  let hasText = false;
  let isFinished = false;

  const endPart = () => {
    if (open) emit({ type: `${open.kind}-end`, id: open.id });
    open = undefined;
  };
  const endStep = () => {
    endPart();
    // Begun, and never made a call: the round was cut off.
    tools.endAll(new Error('The call was not finished.'));
    if (step !== undefined && !isStepPaused) emit({ type: 'finish-step' });
    step = undefined;
    isStepPaused = false;
  };
  const inStep = (round: number) => {
    if (step === round) return;
    endStep();
    emit({ type: 'start-step' });
    step = round;
    hasText = false;
  };
  const say = (kind: Said, delta: string) => {
    if (delta === '') return;
    if (open?.kind !== kind) {
      endPart();
      open = { kind, id: `${kind}-${++parts}` };
      emit({ type: `${kind}-start`, id: open.id });
    }
    emit({ type: `${kind}-delta`, id: open.id, delta });
    if (kind === 'text') hasText = true;
  };
  const metadataOf = (event: AiServiceStreamingEvent) => {
    const messageMetadataOf = messageMetadata(event);
    // Where nothing is to be told, null would be.
    return messageMetadataOf == null ? {} : { messageMetadata: jsonSafe(messageMetadataOf) };
  };

  const write = (event: AiServiceStreamingEvent) => {
    switch (event.type) {
      case 'retrievedContents':
        if (sendSources) sourceChunks(event.contents).forEach(emit);
        break;
      case 'partialThinking':
        inStep(event.round);
        if (sendReasoning) say('reasoning', event.text);
        break;
      case 'partialResponse':
        inStep(event.round);
        say('text', event.text);
        break;
      case 'partialToolCall':
      case 'completeToolCall':
        inStep(event.round);
        // What is said behind the call is another part, behind it.
        endPart();
        tools.write(event);
        break;
      case 'toolCompensated':
        emit(compensated(event));
        break;
      case 'roundRestarted':
        inStep(event.round);
        endPart();
        tools.endAll(event.error);
        emit({ type: 'data-round-restarted', data: { round: event.round, errorText: errorText(event.error) } });
        endStep();
        break;
      case 'retry':
        emit({ type: 'data-retry', data: { attempt: event.attempt, delay: event.delay }, transient: true });
        break;
      case 'finalResponse':
        return finish(event);
      default:
        tools.write(event);
    }
    const metadata = metadataOf(event);
    if ('messageMetadata' in metadata) emit({ type: 'message-metadata', messageMetadata: metadata.messageMetadata });
  };
  const compensated = ({ execution, reason, error }: EventOf<'toolCompensated'>): UiMessageChunk => {
    const { id, name: toolName } = execution.request;
    const data = { toolCallId: id, toolName, reason, ...(error && { errorText: errorText(error) }) };
    return { type: 'data-tool-compensated', id, data };
  };
  const finish = (event: EventOf<'finalResponse'>) => {
    const { response, round, content } = event;
    const metadata = metadataOf(event);
    inStep(round);
    if (!hasText) say('text', response.aiMessage.text ?? '');
    if (content !== undefined) emit({ type: 'data-output', data: jsonSafe(content) });
    endStep();
    isFinished = true;
    emit({ type: 'finish', finishReason: finishReasons[response.finishReason ?? 'other'] ?? 'other', ...metadata });
  };
  const close = (error: Error, last: UiMessageChunk) => {
    if (isFinished) return;
    endPart();
    tools.endAll(error);
    endStep();
    isFinished = true;
    emit(last);
  };

  return {
    begin: () => emit({ type: 'start', ...(messageId !== undefined && { messageId }) }),
    write,
    pause() {
      endPart();
      if (step !== undefined && !isStepPaused) emit({ type: 'finish-step' });
      isStepPaused = true;
      emit({ type: 'finish', finishReason: 'tool-calls' });
    },
    fail(thrown) {
      const error = asError(thrown);
      if (error instanceof InvocationCancelledError) close(error, { type: 'abort' });
      else close(error, { type: 'error', errorText: errorText(error) });
    },
    end: () => close(new InvocationCancelledError('The invocation was left.'), { type: 'abort' }),
  };
}

const finishReasons: Readonly<Record<string, UiFinishReason>> = {
  stop: 'stop',
  length: 'length',
  toolExecution: 'tool-calls',
  contentFilter: 'content-filter',
  other: 'other',
};
