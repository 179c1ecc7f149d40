import { textOf } from '../../chat/content.ts';
import type { AiServiceEvent } from '../../event/ai-service-event.ts';
import type {
  AiServiceCancelledEvent,
  AiServiceCompletedEvent,
  AiServiceErrorEvent,
  AiServiceStartedEvent,
} from '../../event/lifecycle-events.ts';
import type { AiServiceRequestIssuedEvent, AiServiceResponseReceivedEvent } from '../../event/model-events.ts';
import type { ToolCompensatedEvent } from '../../event/tool-compensated-event.ts';
import type { ToolExecutedEvent } from '../../event/tool-executed-event.ts';
import type { TimelineCall } from '../timeline.ts';
import { callAt, completeCall, newCall, undoneCall } from './draft-call.ts';
import { addText, beginRound, end, resume, type Draft, type Drafted } from './draft.ts';
import { shortText } from './short-text.ts';

type Told =
  | AiServiceStartedEvent
  | AiServiceRequestIssuedEvent
  | AiServiceResponseReceivedEvent
  | ToolExecutedEvent
  | ToolCompensatedEvent
  | AiServiceCompletedEvent
  | AiServiceErrorEvent
  | AiServiceCancelledEvent;

/** What an event for those who look on adds: of the model's answer and of the tools only that they have ended. */
export function recordServiceEvent(draft: Draft, event: AiServiceEvent, at: number): void {
  const told = event as Told;
  switch (told.type) {
    case 'requestIssued':
      requestIssued(draft, at);
      break;
    case 'responseReceived':
      responseReceived(draft, told, at);
      break;
    case 'toolExecuted':
      if (!draft.isStreamed) toolExecuted(draft, told, at);
      break;
    case 'toolCompensated':
      undoneCall(draft, told, at);
      break;
    case 'completed':
    case 'cancelled':
      end(draft, told.type, at);
      break;
    case 'error':
      end(draft, 'failed', at, told.error);
      break;
    default:
      // The rest is told elsewhere, or somebody's own.
      if (told.type !== 'started') return;
  }
  draft.lastAt = at;
}

function requestIssued(draft: Draft, at: number): void {
  resume(draft);
  const current = draft.timeline.rounds.at(-1);
  beginRound(draft, current ? current.number + (current.restarted ? 0 : 1) : 1, at);
  draft.isNumberGuessed = true;
}

function responseReceived(draft: Draft, { response }: AiServiceResponseReceivedEvent, at: number): void {
  const round = draft.timeline.rounds.at(-1) ?? beginRound(draft, 1, at);
  round.answered ??= at;
  if (response.finishReason) round.finishReason = response.finishReason;
  if (draft.isStreamed) return;
  const { thinking, text, toolExecutionRequests } = response.aiMessage;
  if (thinking) addText(draft, round, 'thought', at, thinking);
  if (text) addText(draft, round, 'text', at, text);
  toolExecutionRequests.forEach((request, index) => {
    const call = callAt(draft, index, round.number, at, request);
    completeCall(draft, call, at, request);
    call.start = at;
    call.isWithin = true;
  });
}

function toolExecuted(draft: Draft, event: ToolExecutedEvent, at: number): void {
  const { request } = event;
  const call = openCall(draft, request) ?? newCall(draft, draft.timeline.rounds.at(-1)?.number ?? 1, at, request);
  completeCall(draft, call, at, request);
  call.start ??= call.written.start;
  call.end = at;
  call.isWithin = true;
  call.outcome = hasFailed(event) ? 'error' : 'ok';
  call.result = shortText(textOf(event.resultContents), draft.maxText);
}

/** Ids that the provider left out or repeated, and names that were mended, are others than the model's. */
function openCall({ byId, byIndex }: Draft, { id, name }: { id: string; name: string }): Drafted<TimelineCall> | undefined {
  const open = [...byIndex.values()].filter(({ end }) => end === undefined);
  const known = byId.get(id);
  if (known && open.includes(known)) return known;
  return open.find((call) => call.name === name) ?? open[0];
}

function hasFailed(event: ToolExecutedEvent): boolean {
  try {
    return event.isError;
  } catch {
    // Whoever made it does not know.
    return event.error !== undefined;
  }
}
