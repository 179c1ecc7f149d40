import type { AiMessage } from '../../chat/message.ts';
import { sentParts, type SentPart } from '../sent-parts.ts';
import { wireName } from '../wire-name.ts';
import { callId, isItemId } from './responses-call-id.ts';

/** Under which attribute of an answer its items are kept. */
export const responsesPartsKey = 'openaiResponses';

type Item = Readonly<Record<string, unknown>>;

/**
 * An answer as items of the Responses API, in the order in which the model wrote them. Reasoning stands directly before
 * what followed it, and goes with it when that can't go back: the API refuses either without the other.
 */
export function responsesAnswerItems(message: AiMessage): readonly Item[] {
  const parts = sentParts(message, responsesPartsKey).filter((part) => part.type !== 'text' || part.text);
  const isSent = sendable(parts);
  const sent = parts.filter((part, place) => (isReasoning(part) ? followerOf(parts, place, isSent) : isSent(part)));
  // An item with an id is looked for beside those that it was written with.
  const isComplete = parts.every((part) => part.type !== 'kept' || isSent(part));
  return sent.map((part) => itemOf(part, isComplete));
}

/** What waits for an output that only the caller could have given must not go back without it. */
function sendable(parts: readonly SentPart[]): (part: SentPart) => boolean {
  const answered = new Set(
    parts.flatMap((part) => (part.type === 'kept' && isOutput(part.part) ? [(part.part as Item)['call_id']] : [])),
  );
  return (part) => {
    if (part.type !== 'kept') return true;
    if (!isItem(part.part)) return false;
    const waitsFor = isOutput(part.part) ? undefined : part.part['call_id'];
    return typeof waitsFor !== 'string' || answered.has(waitsFor);
  };
}

/** Whether what comes next behind the reasoning, more of it apart, goes back. */
function followerOf(parts: readonly SentPart[], place: number, isSent: (part: SentPart) => boolean): boolean {
  const next = parts.slice(place + 1).find((part) => !isReasoning(part));
  return next !== undefined && isSent(next);
}

function itemOf(part: SentPart, withIds: boolean): Item {
  switch (part.type) {
    case 'kept':
      return keptItem(part.part as Item);
    case 'call': {
      const { id, name, arguments: written } = part.request;
      const { id: itemId, ...rest } = part.extra ?? {};
      return {
        ...rest,
        type: 'function_call',
        ...(withIds && isItemId(itemId, 'fc') && { id: itemId }),
        call_id: callId(id),
        name: wireName(name),
        arguments: written || '{}',
      };
    }
    case 'text':
      return spokenItem(part.text, part.extra, withIds);
  }
}

/** With its id where it has one; the API takes the short form from anybody. */
function spokenItem(text: string, extra: Item = {}, withIds: boolean): Item {
  const { id, isRefusal, ...rest } = extra;
  if (!withIds || !isItemId(id, 'msg')) return { ...rest, role: 'assistant', content: text };
  const content = isRefusal ? { type: 'refusal', refusal: text } : { type: 'output_text', text, annotations: [] };
  return { ...rest, type: 'message', id, role: 'assistant', status: 'completed', content: [content] };
}

/** As it came, without an id that its own sender would refuse. */
function keptItem(item: Item): Item {
  const { id, ...rest } = item;
  return id === undefined || isItemId(id) ? item : rest;
}

function isReasoning(part: SentPart): boolean {
  return part.type === 'kept' && isItem(part.part) && part.part['type'] === 'reasoning';
}

/** An item that never came to its end was kept as an empty one. */
function isItem(part: unknown): part is Item {
  return typeof part === 'object' && part !== null && typeof (part as Item)['type'] === 'string';
}

function isOutput(part: unknown): boolean {
  return isItem(part) && (part['type'] as string).endsWith('_output');
}
