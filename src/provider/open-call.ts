import type { ToolExecutionRequest } from '../chat/message.ts';
import { parseJson } from '../chat/parse-json.ts';
import { jsonObjectScan, type JsonObjectScan } from './json-object-scan.ts';

/** One piece of a tool call as a wire tells it. Everything may be missing; empty text counts as missing. */
export interface ToolCallFragment {
  readonly index?: number | null | undefined;
  readonly id?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly arguments?: string | null | undefined;
  /** The wire may send names in pieces: one is known to be whole when the arguments begin. */
  readonly nameMayGrow?: boolean | undefined;
}

/** Which call of the turn it is. */
export interface CallPlace {
  /** Its place in the turn, by first sight. */
  readonly position: number;
  readonly id: string;
}

/** A tool call that is being put together. */
export interface OpenCall extends CallPlace {
  /** The provider's own id, to tell its calls apart; absent where it gave none. */
  readonly wireId: string | undefined;
  name: string;
  text: string;
  scan: JsonObjectScan;
  /** All the text, until the call is told to anybody: not before it has a name, and while name or text may still be another. */
  untold: string | undefined;
  /** Whether a later call or block has begun. */
  isOvertaken: boolean;
  isComplete: boolean;
}

export function openCall(position: number, id: string, wireId: string | undefined): OpenCall {
  return { position, id, wireId, name: '', text: '', scan: jsonObjectScan(), untold: '', isOvertaken: false, isComplete: false };
}

/** The outline is followed piece by piece; the text is parsed once, when the outline is closed. */
export function isWhole({ scan, text }: OpenCall): boolean {
  return scan.isWhole() && parseJson(text) !== undefined;
}

/** Whether more of its text may come. */
export function isUnfinished(call: OpenCall): boolean {
  return !call.isComplete && (!call.scan.isWhole() || isPlaceholder(call));
}

/** Whether all that came is an empty object, which some servers send before the arguments. */
export function isPlaceholder({ untold }: OpenCall): boolean {
  return untold !== undefined && /^\s*\{\s*\}\s*$/.test(untold);
}

export function isIndexed({ index }: ToolCallFragment): boolean {
  return typeof index === 'number';
}

/** Whether a piece can only be the rest of this call, though its place or its id is another's: no arguments begin as it does. */
export function isRestOf(call: OpenCall, { name, arguments: piece }: ToolCallFragment): boolean {
  return name === call.name && call.text !== '' && !call.scan.isWhole() && Boolean(piece?.trim()) && !beginsObject(piece!);
}

/** Whether a name opens a call behind one that it could also belong to: when that one has all its arguments, or another name. */
export function opensAnother(known: OpenCall, fragment: ToolCallFragment): boolean {
  const { id, name, arguments: written } = fragment;
  if (!name || !known.name) return false;
  if (!known.scan.isWhole()) return !id && !isIndexed(fragment) && name !== known.name;
  if (!id || name !== known.name) return true;
  // With its id and its own arguments it is the same call, told once more.
  return id === known.wireId && Boolean(written?.trim()) && written !== known.text && !isPlaceholder(known);
}

export function takeName(call: OpenCall, name: string | null | undefined): void {
  // Repeated on later pieces by some servers, sent in pieces by others.
  if (name && name !== call.name && !call.isComplete && !call.text) call.name += name;
  else if (name && !call.name) call.name = name;
}

export function addText(call: OpenCall, piece: string): void {
  // The arguments themselves: what stood for them is no part of them.
  if (isPlaceholder(call) && beginsObject(piece)) Object.assign(call, { text: '', untold: '', scan: jsonObjectScan() });
  call.text += piece;
  call.scan.add(piece);
}

export function requestOf({ id, name, text }: OpenCall): ToolExecutionRequest {
  return { id, name, arguments: text };
}

/** Whether arguments can begin with this piece. */
function beginsObject(piece: string): boolean {
  return /^\s*\{/.test(piece);
}
