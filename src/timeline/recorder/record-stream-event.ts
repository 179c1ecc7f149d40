import type { AiServiceStreamingEvent } from '../../service/streaming-event.ts';
import { callAt, callOf, completeCall, endCall, startCall, undoneCall } from './draft-call.ts';
import { addText, dropCalls, end, resume, roundOf, type Draft } from './draft.ts';
import { errorText, valueText } from './short-text.ts';
import { addProgress } from './thinned.ts';

type EventOf<Type extends AiServiceStreamingEvent['type']> = Extract<AiServiceStreamingEvent, { type: Type }>;
type Writers = { readonly [Type in AiServiceStreamingEvent['type']]: (draft: Draft, event: EventOf<Type>, at: number) => void };

/** What each event of the stream adds. */
const writers: Writers = {
  retrievedContents({ timeline }, { contents }, at) {
    timeline.retrieval = { at, contents: contents.length };
  },
  partialThinking: (draft, { round, text }, at) => addText(draft, roundOf(draft, round), 'thought', at, text),
  partialResponse: (draft, { round, text }, at) => addText(draft, roundOf(draft, round), 'text', at, text),
  partialToolCall(draft, { round, index, id, name }, at) {
    roundOf(draft, round);
    draft.openSegment = undefined;
    const call = callAt(draft, index, round, at, { id, name });
    // Some wires tell the name piece by piece.
    if (name) call.name = name;
  },
  completeToolCall(draft, { round, index, request }, at) {
    roundOf(draft, round);
    draft.openSegment = undefined;
    completeCall(draft, callAt(draft, index, round, at, request), at, request);
  },
  toolApprovalRequested(draft, { request, round }, at) {
    callOf(draft, request, round, at).approval = { asked: at };
  },
  beforeToolExecution: (draft, { request, round }, at) => startCall(callOf(draft, request, round, at), at),
  toolProgress: (draft, { request, round, value }, at) =>
    addProgress(callOf(draft, request, round, at), at, () => valueText(value, draft.maxText)),
  afterToolExecution: (draft, { execution, round }, at) =>
    endCall(draft, callOf(draft, execution.request, round, at), at, execution),
  intermediateResponse: answered,
  answerCut: answered,
  toolCompensated: undoneCall,
  retry(draft, { round, attempt, delay, error }, at) {
    roundOf(draft, round).retries.push({ at, attempt, delay, reason: errorText(error, draft.maxText) });
  },
  roundRestarted(draft, { round, error }, at) {
    const current = roundOf(draft, round);
    current.restarted = { at, reason: errorText(error, draft.maxText) };
    current.end = at;
    dropCalls(draft, at, 'unfinished');
  },
  raw: () => undefined,
  finalResponse(draft, { round, response }, at) {
    const current = roundOf(draft, round);
    const { text } = response.aiMessage;
    // Held back until the guardrails had seen it.
    if (text && current.segments.every(({ type }) => type !== 'text')) addText(draft, current, 'text', at, text);
    current.answered ??= at;
    if (response.finishReason) current.finishReason = response.finishReason;
    end(draft, 'completed', at);
  },
};

/** The model has nothing more to say in this round. */
function answered(draft: Draft, { round, response }: EventOf<'intermediateResponse' | 'answerCut'>, at: number): void {
  const current = roundOf(draft, round);
  current.answered ??= at;
  if (response.finishReason) current.finishReason = response.finishReason;
}

export function recordStreamEvent(draft: Draft, event: AiServiceStreamingEvent, at: number): void {
  draft.isStreamed = true;
  resume(draft);
  const write = writers[event.type] as ((draft: Draft, event: AiServiceStreamingEvent, at: number) => void) | undefined;
  // The set of events is open.
  write?.(draft, event, at);
  draft.lastAt = at;
}
