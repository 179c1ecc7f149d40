import type { AiMessage, ToolExecutionRequest } from '../../chat/message.ts';
import { argumentsJson } from '../arguments-json.ts';
import { sentParts, type SentPart } from '../sent-parts.ts';
import type { PartExtra } from '../turn-parts.ts';
import { wireJson } from '../wire-json.ts';
import { wireName } from '../wire-name.ts';
import { callId } from './call-id.ts';
import type { Block } from './event.ts';
import { partsKey } from './messages-api.ts';

/**
 * The blocks of an answer as JSON texts, in the order in which the model wrote them. `isSettled`: the user has spoken since,
 * so that a call of the server's own tools that has no result will never get one; the API refuses it then.
 */
export function assistantBlocks(message: AiMessage, isSettled: boolean): readonly string[] {
  const parts = sentParts(message, partsKey).filter(isSent);
  const answered = new Set(parts.map((part) => (part.type === 'kept' ? blockOf(part)['tool_use_id'] : undefined)));
  const isOpen = (part: SentPart) => part.type === 'kept' && isServerCall(blockOf(part)) && !answered.has(blockOf(part)['id']);
  const kept = isSettled ? parts.filter((part) => !isOpen(part)) : parts;
  const last = kept.findLastIndex((part) => part.type !== 'kept' || !isThinking(blockOf(part)));
  // Thinking behind which nothing was said is of no use, and refused at the end of a message.
  return kept.slice(0, last + 1).map(blockJson);
}

/** Attributes may come from anywhere: what is no block, and thinking that is not signed, is left out. So are blank texts. */
function isSent(part: SentPart): boolean {
  if (part.type === 'call') return true;
  if (part.type === 'text') return part.text.trim() !== '';
  const block = part.part as Block | null;
  if (typeof block !== 'object' || block === null || typeof block.type !== 'string') return false;
  return block.type !== 'thinking' || (typeof block['signature'] === 'string' && block['signature'] !== '');
}

function blockOf({ part }: { readonly part: unknown }): Block {
  return part as Block;
}

function isThinking({ type }: Block): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}

function isServerCall({ type }: Block): boolean {
  return type?.endsWith('tool_use') ?? false;
}

function blockJson(part: SentPart): string {
  if (part.type === 'kept') return wireJson(part.part);
  if (part.type === 'text') return wireJson({ ...part.extra, type: 'text', text: part.text });
  return callJson(part.request, part.extra);
}

function callJson({ id, name, arguments: written }: ToolExecutionRequest, extra: PartExtra | undefined): string {
  const rest = wireJson({ ...extra, input: undefined, type: 'tool_use', id: callId(id), name: wireName(name) });
  return `${rest.slice(0, -1)},"input":${argumentsJson(written)}}`;
}
