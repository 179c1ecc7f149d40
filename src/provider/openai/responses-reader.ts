import { isCut } from '../../chat/is-cut.ts';
import type { FinishReason } from '../../chat/chat-response.ts';
import type { Turn } from '../turn.ts';
import type { WireReader } from '../wire.ts';
import { wireText } from '../wire-values.ts';
import { finishMeaning } from './finish-reasons.ts';
import type { ResponsesAnswer, ResponsesEvent } from './responses-event.ts';
import { responsesOutput, type ResponsesOutput } from './responses-output.ts';
import { partKind } from './responses-part.ts';
import { responsesCounts } from './usage.ts';

type Reading = (output: ResponsesOutput, event: ResponsesEvent) => void;

const nothing: Reading = () => undefined;

/** What an event says of the output; one that stands here has a place among our events, all others are raw. */
const readings: ReadonlyMap<unknown, Reading> = new Map<unknown, Reading>([
  ['response.output_text.delta', (output, event) => output.piece('text', event)],
  ['response.refusal.delta', (output, event) => output.piece('refusal', event)],
  ['response.reasoning_text.delta', (output, event) => output.piece('thought', event)],
  ['response.reasoning_summary_text.delta', (output, event) => output.piece('summary', event)],
  ['response.function_call_arguments.delta', (output, event) => output.writing(event)],
  ['response.function_call_arguments.done', (output, event) => output.written(event)],
  ['response.output_item.added', (output, event) => output.added(event)],
  ['response.output_item.done', (output, event) => output.done(event)],
  ['response.output_text.done', (output, event) => output.part('text', event, event)],
  ['response.refusal.done', (output, event) => output.part('refusal', event, event)],
  ['response.reasoning_text.done', (output, event) => output.part('thought', event, event)],
  ['response.reasoning_summary_text.done', (output, event) => output.part('summary', event, event)],
  [
    'response.content_part.done',
    (output, event) => output.part(event.part ? partKind(event.part) : undefined, event, event.part ?? {}),
  ],
  ['response.content_part.added', nothing],
  ['response.reasoning_part.added', nothing],
  ['response.reasoning_part.done', nothing],
  ['response.reasoning_summary_part.added', nothing],
  ['response.reasoning_summary_part.done', nothing],
  ['response.created', nothing],
  ['response.queued', nothing],
  ['response.in_progress', nothing],
  ['response.completed', nothing],
  ['response.incomplete', nothing],
  ['response.done', nothing],
]);

/** The last event of a turn; the third is what some gateways make of the first two. */
const lastEvents: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete', 'response.done']);

/** The items that we know; the tools that run on the server are seen by their raw events alone. */
const knownItems: ReadonlySet<unknown> = new Set(['message', 'function_call', 'reasoning']);

/** Reads the events of a Responses stream. */
export function responsesReader(turn: Turn): WireReader {
  const output = responsesOutput(turn);
  /** The response that the output belongs to. */
  let responseId: string | undefined;
  let isOver = false;

  const end = (answer: ResponsesAnswer, isIncomplete: boolean) => {
    isOver = true;
    const cut = isIncomplete ? cutMeaning(answer) : undefined;
    output.over(answer, isIncomplete);
    if (answer.usage) turn.counted(responsesCounts(answer.usage));
    turn.finished(cut ?? (output.hasCutCall() ? 'length' : 'stop'));
  };
  const created = (id: string | undefined) => {
    const isOther = id !== undefined && responseId !== undefined && id !== responseId;
    // The two must not be mixed; one that is announced twice, or given up before it said anything, is no other.
    if (isOther && output.hasBegun()) {
      throw turn.failure('malformedResponse', 'a second response began while the first was open', true);
    }
    responseId = id ?? responseId;
  };

  return {
    read(json: ResponsesEvent, name) {
      const event = whole(json, name);
      const { type, response, item } = event;
      const reading = readings.get(type);
      if (type === 'response.created') created(wireText(response?.id));
      reading?.(output, event);
      if (!reading || (item && !knownItems.has(item.type))) turn.raw(json);
      if (response) turn.identify(wireText(response.id), wireText(response.model));
      const isIncomplete = type === 'response.incomplete' || response?.status === 'incomplete';
      if (!isIncomplete && !lastEvents.has(type)) return false;
      end(response ?? {}, isIncomplete);
      return true;
    },
    failureIn: (json: ResponsesEvent, name) => failureIn(whole(json, name)),
    end(isWhole) {
      if (isOver || !isWhole) return;
      // Without its last event an answer is whole where all its items are.
      if (output.isDone()) end({}, false);
      else output.over({}, false);
    },
  };
}

/** The event, where a gateway gives its type in its name alone, or the response alone in its place. */
function whole(event: ResponsesEvent, name: string | undefined): ResponsesEvent {
  if (event.type) return event;
  if (event.object !== 'response') return name ? { ...event, type: name } : event;
  const response = event as ResponsesAnswer;
  return { type: `response.${response.status ?? 'in_progress'}`, response };
}

/** Why it is incomplete; whatever the word, what came last may lack its end. */
function cutMeaning({ incomplete_details }: ResponsesAnswer): FinishReason {
  const meaning = finishMeaning(wireText(incomplete_details?.reason) ?? '');
  return meaning !== 'error' && isCut(meaning) ? meaning : 'length';
}

function failureIn({ type, response }: ResponsesEvent): unknown {
  const status = type === 'response.failed' ? 'failed' : response?.status;
  if (status !== 'failed' && status !== 'cancelled') return undefined;
  return { error: response?.error ?? `the response is ${status}` };
}
