import type { ToolExecutionRequest } from '../chat/message.ts';
import { parseJson } from '../chat/parse-json.ts';
import { jsonObjectScan, type JsonObjectScan } from './json-object-scan.ts';

/** One piece of a tool call as a wire tells it. Everything may be missing; empty text counts as missing. */
export interface ToolCallFragment {
  readonly index?: number | null | undefined;
  readonly id?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly arguments?: string | null | undefined;
}

/** A tool call that is being put together. */
export interface OpenCall {
  /** Its place in the turn, by first sight. */
  readonly position: number;
  readonly id: string;
  /** The provider's own id, to tell its calls apart; absent where it gave none. */
  readonly wireId: string | undefined;
  name: string;
  text: string;
  readonly scan: JsonObjectScan;
  /** What came before the name did: a piece without a name is told to nobody. */
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

export function isIndexed({ index }: ToolCallFragment): boolean {
  return typeof index === 'number';
}

/** Whether a name opens a call behind one that it could also belong to: when that one has all its arguments, or another name. */
export function opensAnother(known: OpenCall, fragment: ToolCallFragment): boolean {
  const { id, name, arguments: written } = fragment;
  if (!name || !known.name) return false;
  if (!known.scan.isWhole()) return !id && !isIndexed(fragment) && name !== known.name;
  // With its id and its own arguments it is the same call, told once more.
  return !id || (id === known.wireId && Boolean(written?.trim()) && written !== known.text);
}

export function requestOf({ id, name, text }: OpenCall): ToolExecutionRequest {
  return { id, name, arguments: text };
}
