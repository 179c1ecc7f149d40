import { isCut } from '../../chat/is-cut.ts';
import type { FinishReason } from '../../chat/chat-response.ts';
import type { Turn } from '../turn.ts';
import type { WireReader } from '../wire.ts';
import { wireText } from '../wire-values.ts';
import { finishMeaning } from './finish-reasons.ts';
import type { ResponsesAnswer, ResponsesEvent } from './responses-event.ts';
import { responsesOutput, type ResponsesOutput } from './responses-output.ts';
import { partKind } from './responses-part.ts';
import { responsesTokenUsage } from './usage.ts';

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
]);

/** The items that we know; the tools that run on the server are seen by their raw events alone. */
const knownItems: ReadonlySet<unknown> = new Set(['message', 'function_call', 'reasoning']);

/** Reads the events of a Responses stream. */
export function responsesReader(turn: Turn): WireReader {
  const output = responsesOutput(turn);

  const end = (answer: ResponsesAnswer, isIncomplete: boolean) => {
    const cut = isIncomplete ? cutMeaning(answer) : undefined;
    output.over(answer, isIncomplete);
    if (answer.usage) turn.counted(responsesTokenUsage(answer.usage));
    turn.finished(cut ?? (output.hasCutCall() ? 'length' : 'stop'));
  };

  return {
    read(event: ResponsesEvent) {
      const { type, response, item } = event;
      const reading = readings.get(type);
      reading?.(output, event);
      if (!reading || (item && !knownItems.has(item.type))) turn.raw(event);
      if (response) turn.identify(wireText(response.id), wireText(response.model));
      const isIncomplete = type === 'response.incomplete' || response?.status === 'incomplete';
      if (!isIncomplete && type !== 'response.completed') return false;
      end(response ?? {}, isIncomplete);
      return true;
    },
    failureIn,
  };
}

/** Why it is incomplete; whatever the word, what came last may lack its end. */
function cutMeaning({ incomplete_details }: ResponsesAnswer): FinishReason {
  const meaning = finishMeaning(incomplete_details?.reason ?? '');
  return meaning !== 'error' && isCut(meaning) ? meaning : 'length';
}

function failureIn({ type, response }: ResponsesEvent): unknown {
  const status = type === 'response.failed' ? 'failed' : response?.status;
  if (status !== 'failed' && status !== 'cancelled') return undefined;
  return { error: response?.error ?? `the response is ${status}` };
}
