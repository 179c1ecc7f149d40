import type { AiServiceStreamingEvent } from '../../service/streaming-event.ts';
import { UnknownToolError, isArgumentsError } from '../../tool/tool-errors.ts';
import type { UiAssistantMessage, UiPart, UiToolCall, UiToolPart } from './ui-message.ts';
import { withParts } from './with-parts.ts';

type Event<T extends AiServiceStreamingEvent['type']> = Extract<AiServiceStreamingEvent, { type: T }>;

/** An answer as it is after one more event. */
export function answerAfter(answer: UiAssistantMessage, event: AiServiceStreamingEvent): UiAssistantMessage {
  switch (event.type) {
    case 'retrievedContents':
      return { ...answer, sources: event.contents };
    case 'partialThinking':
    case 'partialResponse':
      return streaming(answer, withText(answer.parts, event));
    case 'partialToolCall':
      return streaming(answer, withPartialCall(answer.parts, event));
    case 'completeToolCall':
      return streaming(answer, withCompleteCall(answer.parts, event));
    case 'toolApprovalRequested':
      return withCall(answer, event.request.id, event.round, () => ({ call: { status: 'awaitingApproval' } }));
    case 'beforeToolExecution':
      return withCall(answer, event.request.id, event.round, () => ({ call: { status: 'running' }, hasRun: true }));
    case 'toolProgress':
      return withCall(answer, event.request.id, event.round, () => ({ call: { progress: event.value } }));
    case 'afterToolExecution':
      return withCall(answer, event.execution.request.id, event.round, (part) => ended(part, event));
    case 'toolCompensated': {
      const { execution, reason, error } = event;
      // Perhaps of an earlier round.
      return withCall(answer, execution.request.id, undefined, () => ({
        call: { compensation: { reason, ...(error && { error }) } },
      }));
    }
    case 'roundRestarted':
      return withParts(answer, withoutRound(answer.parts, event.round));
    case 'finalResponse':
      return withAnswer(answer, event);
    default:
      return answer;
  }
}

/** What a round has streamed is dropped; a call that has run is no part of what the model says again. */
function withoutRound(parts: readonly UiPart[], dropped: number): readonly UiPart[] {
  return parts.filter((part) => part.round !== dropped || (part.type === 'toolCall' && part.hasRun));
}

/** A failed answer as it goes on; what is to be dropped of it is told by the invocation. */
export function resumed(answer: UiAssistantMessage): UiAssistantMessage {
  return { ...answer, status: 'submitted', error: undefined };
}

/** What the end of the invocation makes of a call that it finds under way. */
const left: Partial<Record<UiToolCall['status'], UiToolCall['status']>> = {
  writing: 'notRun',
  waiting: 'notRun',
  awaitingApproval: 'notRun',
  running: 'stopped',
};

export function withoutOpenCalls(answer: UiAssistantMessage): UiAssistantMessage {
  const parts = answer.parts.map((part) => {
    const status = part.type === 'toolCall' ? left[part.call.status] : undefined;
    return part.type === 'toolCall' && status ? { ...part, call: { ...part.call, status } } : part;
  });
  return { ...answer, parts };
}

function streaming(answer: UiAssistantMessage, parts: readonly UiPart[]): UiAssistantMessage {
  return withParts({ ...answer, status: 'streaming' }, parts);
}

function withText(
  parts: readonly UiPart[],
  { type, round, text }: Event<'partialThinking' | 'partialResponse'>,
): readonly UiPart[] {
  const kind = type === 'partialResponse' ? 'text' : 'thinking';
  const last = parts.at(-1);
  if (last?.type !== kind || last.round !== round) return [...parts, { type: kind, round, text }];
  return [...parts.slice(0, -1), { ...last, text: last.text + text }];
}

function withPartialCall(parts: readonly UiPart[], event: Event<'partialToolCall'>): readonly UiPart[] {
  return atPlace(parts, event, (call) => ({
    id: event.id || (call?.id ?? ''),
    name: event.name || (call?.name ?? ''),
    arguments: (call?.arguments ?? '') + event.partialArguments,
    status: 'writing',
  }));
}

function withCompleteCall(parts: readonly UiPart[], event: Event<'completeToolCall'>): readonly UiPart[] {
  return atPlace(parts, event, () => ({ ...event.request, status: 'waiting' }));
}

/** Calls are known by their place until they are complete: what is streamed of them may have no id yet. */
function atPlace(
  parts: readonly UiPart[],
  { round, index }: { readonly round: number; readonly index: number },
  change: (call: UiToolCall | undefined) => UiToolCall,
): readonly UiPart[] {
  const isThere = (part: UiPart): part is UiToolPart =>
    part.type === 'toolCall' && part.round === round && part.index === index && !isTaken(part.call);
  const known = parts.find(isThere);
  const part: UiPart = { type: 'toolCall', round, index, call: change(known?.call) };
  return known ? parts.map((other) => (other === known ? part : other)) : [...parts, part];
}

interface PartChange {
  readonly call: Partial<UiToolCall>;
  readonly hasRun?: boolean;
}

/** A call by its id, which is unique among those that are complete; what a failed round has left may have the same. */
export function withCall(
  answer: UiAssistantMessage,
  id: string,
  round: number | undefined,
  change: (part: UiToolPart) => PartChange,
): UiAssistantMessage {
  const parts = answer.parts.map((part) => {
    if (part.type !== 'toolCall' || part.call.id !== id || (round ?? part.round) !== part.round) return part;
    const { call, ...more } = change(part);
    return { ...part, ...more, call: { ...part.call, ...call } };
  });
  return { ...answer, parts };
}

function ended({ call, hasRun: hadRun }: UiToolPart, { execution }: Event<'afterToolExecution'>): PartChange {
  const { hasFailed, result, resultContents, error, rawError } = execution;
  // A refusal is no error; a call that was given up, and somebody who could not decide, are.
  const isDenied = hasFailed && !error && call.status !== 'running';
  const status = isDenied ? 'denied' : hasFailed ? 'failed' : 'done';
  const isUnusable = error instanceof UnknownToolError || (isArgumentsError(rawError) && !('arguments' in execution));
  return { call: { status, result, resultContents, execution }, ...(hadRun && isUnusable && { hasRun: false }) };
}

function isTaken({ status }: UiToolCall): boolean {
  return status !== 'writing' && status !== 'waiting';
}

/** Where guardrails held the text back, it has not streamed. */
function withAnswer(answer: UiAssistantMessage, { response, round, content }: Event<'finalResponse'>): UiAssistantMessage {
  const { text } = response.aiMessage;
  const isShown = answer.parts.some((part) => part.type === 'text' && part.round === round);
  const whole = text && !isShown ? withParts(answer, [...answer.parts, { type: 'text', round, text }]) : answer;
  return content === undefined ? whole : { ...whole, content };
}
