import type { ChatModelEvent } from '../chat/chat-model.ts';
import type { AiMessage, ToolExecutionRequest } from '../chat/message.ts';
import {
  addText,
  isPlaceholder,
  isWhole,
  openCall,
  requestOf,
  takeName,
  type CallPlace,
  type OpenCall,
  type ToolCallFragment,
} from './open-call.ts';
import { openCalls } from './open-calls.ts';

/** Puts streamed tool calls together, for every wire. */
export interface ToolCallAssembler {
  /** Says which call the piece belongs to; `undefined` where it says nothing. */
  fragment(fragment: ToolCallFragment): CallPlace | undefined;
  /** Something else than a call has begun: the calls so far get no more pieces, unless the wire goes back to them. */
  blockBegan(): void;
  /** The wire says that the call at this index is complete. */
  ended(index: number): void;
  /** The turn's finish word has come, and is no cut: calls that are whole are complete, and those without arguments. */
  finish(): void;
  /** The turn is over: what was held back is told and, unless the turn was cut, what has not been completed is complete now. */
  end(isCut: boolean): void;
  /** All calls in order of first sight, whole or not. */
  requests(): readonly ToolExecutionRequest[];
}

export interface AssemblerOptions {
  emit(event: ChatModelEvent): void;
  idGenerator(): string;
  /** What the provider needs back of the turn so far. */
  attributes(): AiMessage['attributes'];
  /** Called when a call begins. */
  onOpen(id: string): void;
  /** Called when a wire goes on with a call that it had left as complete. */
  onConflict(name: string): void;
}

export function toolCallAssembler({ emit, idGenerator, attributes, onOpen, onConflict }: AssemblerOptions): ToolCallAssembler {
  const calls = openCalls();
  /** The one call behind which nothing has begun yet. */
  let front: OpenCall | undefined;

  const open = (fragment: ToolCallFragment): OpenCall => {
    const wireId = fragment.id || undefined;
    const isFree = wireId !== undefined && !calls.hasId(wireId);
    const call = openCall(calls.all.length, isFree ? wireId : idGenerator(), wireId);
    calls.add(call, fragment);
    overtakeFront();
    front = call;
    onOpen(call.id);
    return call;
  };

  const overtakeFront = () => {
    if (front) overtake(front);
  };

  const overtake = (call: OpenCall) => {
    if (call === front) front = undefined;
    call.isOvertaken = true;
    completeIfWhole(call);
    if (call.name && call.untold === '') tellHeld(call);
  };

  const completeIfWhole = (call: OpenCall) => {
    if (call.isOvertaken && !call.isComplete && call.name && isWhole(call)) complete(call);
  };

  const complete = (call: OpenCall) => {
    if (call.untold !== undefined) tellHeld(call);
    call.isComplete = true;
    const needed = attributes();
    emit({
      type: 'completeToolCall',
      index: call.position,
      request: requestOf(call),
      ...(needed && { attributes: needed }),
    });
  };

  const completeOnce = (call: OpenCall) => {
    // Without a name there is nothing to call.
    if (!call.isComplete && call.name) complete(call);
  };

  /** What the piece adds to the call: all of it or nothing. */
  const append = (call: OpenCall, piece: string): string => {
    if (call.isComplete) {
      // Blank or said before: nothing. Anything else would change a call that may be running.
      if (piece.trim() && piece !== call.text) onConflict(call.name);
      return '';
    }
    if (piece && piece === call.text && call.scan.isWhole()) return '';
    addText(call, piece);
    return piece;
  };

  const tell = (call: OpenCall, piece: string, nameMayGrow = false) => {
    if (call.untold === undefined) {
      if (piece) emitPiece(call, piece);
      return;
    }
    call.untold += piece;
    const mayChange = isPlaceholder(call) || (nameMayGrow && call === front && !call.untold);
    if (call.name && !mayChange) tellHeld(call);
  };

  const tellHeld = (call: OpenCall) => {
    const held = call.untold ?? '';
    call.untold = undefined;
    emitPiece(call, held);
  };

  const emitPiece = ({ position, id, name }: OpenCall, partialArguments: string) =>
    emit({ type: 'partialToolCall', index: position, id, name, partialArguments });

  return {
    fragment(fragment) {
      const { id, name } = fragment;
      const piece = fragment.arguments ?? '';
      let call = calls.find(fragment);
      if (!call) {
        if (!id && !name && !piece.trim()) return undefined;
        call = open(fragment);
      }
      takeName(call, name);
      tell(call, append(call, piece), fragment.nameMayGrow);
      completeIfWhole(call);
      return call;
    },
    blockBegan: overtakeFront,
    ended(index) {
      const call = calls.at(index);
      if (call) overtake(call);
    },
    finish() {
      // A turn with a call without a name fails: what that holds may be the arguments of another.
      if (calls.all.some(({ name }) => !name)) return;
      for (const call of calls.all) if (isWhole(call) || !call.text.trim()) completeOnce(call);
    },
    end(isCut) {
      for (const call of calls.all) {
        if (!isCut) completeOnce(call);
        else if (call.name && call.untold !== undefined) tellHeld(call);
      }
    },
    requests: () => calls.all.map(requestOf),
  };
}
