import type { ChatModelEvent } from '../chat/chat-model.ts';
import type { AiMessage, ToolExecutionRequest } from '../chat/message.ts';
import { isIndexed, isWhole, openCall, opensAnother, requestOf, type OpenCall, type ToolCallFragment } from './open-call.ts';

/** Puts streamed tool calls together, for every wire. */
export interface ToolCallAssembler {
  fragment(fragment: ToolCallFragment): void;
  /** Something else than a call has begun: the calls so far get no more pieces, unless the wire goes back to them. */
  blockBegan(): void;
  /** The wire says that the call at this index is complete. */
  ended(index: number): void;
  /** The turn's finish word has come, and is no cut: calls that are whole are complete, and those without arguments. */
  finish(): void;
  /** The turn is over: what has not been completed is complete now. */
  end(): void;
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
  const calls: OpenCall[] = [];
  const byIndex = new Map<number, OpenCall>();
  const byWireId = new Map<string, OpenCall>();
  /** The call spoken of last: pieces that name no call belong to it. */
  let latest: OpenCall | undefined;
  /** The one call behind which nothing has begun yet. */
  let front: OpenCall | undefined;

  const open = ({ id }: ToolCallFragment): OpenCall => {
    const wireId = id || undefined;
    const isFree = wireId !== undefined && !byWireId.has(wireId);
    const call = openCall(calls.length, isFree ? wireId : idGenerator(), wireId);
    calls.push(call);
    if (wireId !== undefined) byWireId.set(wireId, call);
    overtakeFront();
    front = call;
    onOpen(call.id);
    return call;
  };

  const overtakeFront = () => {
    if (!front) return;
    const overtaken = front;
    front = undefined;
    overtaken.isOvertaken = true;
    completeIfWhole(overtaken);
  };

  const completeIfWhole = (call: OpenCall) => {
    if (call.isOvertaken && !call.isComplete && call.name && isWhole(call)) complete(call);
  };

  const complete = (call: OpenCall) => {
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

  const find = (fragment: ToolCallFragment): OpenCall | undefined => {
    const { index, id, name } = fragment;
    const known = isIndexed(fragment) ? byIndex.get(index!) : id ? (byWireId.get(id) ?? lateId(fragment)) : latest;
    if (!known || opensAnother(known, fragment)) return undefined;
    // An id with a name is another call though the index is taken: bridges give every call the index 0.
    const isOther = isIndexed(fragment) && id && name && known.wireId && id !== known.wireId;
    return isOther ? byWireId.get(id) : known;
  };

  /** An id that comes behind the call's name, on a wire without places, belongs to the call that has none. */
  const lateId = ({ id, name }: ToolCallFragment): OpenCall | undefined => {
    if (name || !latest || latest.wireId !== undefined || isWhole(latest)) return undefined;
    byWireId.set(id!, latest);
    return latest;
  };

  const takeName = (call: OpenCall, name: string | null | undefined) => {
    // Repeated on later pieces by some servers, sent in pieces by others.
    if (name && name !== call.name && !call.isComplete && !call.text) call.name += name;
    else if (name && !call.name) call.name = name;
  };

  const append = (call: OpenCall, piece: string) => {
    if (call.isComplete) {
      // Blank or said before: nothing. Anything else would change a call that may be running.
      if (piece.trim() && piece !== call.text) onConflict(call.name);
      return;
    }
    if (piece && piece === call.text && call.scan.isWhole()) return;
    call.text += piece;
    call.scan.add(piece);
  };

  const tell = (call: OpenCall, piece: string) => {
    if (!call.name) {
      call.untold += piece;
    } else if (call.untold !== undefined || piece) {
      emit({
        type: 'partialToolCall',
        index: call.position,
        id: call.id,
        name: call.name,
        partialArguments: (call.untold ?? '') + piece,
      });
      call.untold = undefined;
    }
  };

  return {
    fragment(fragment) {
      const piece = fragment.arguments ?? '';
      let call = find(fragment);
      if (!call) {
        if (!fragment.id && !fragment.name && !piece) return;
        call = open(fragment);
      }
      if (isIndexed(fragment)) byIndex.set(fragment.index!, call);
      latest = call;
      const length = call.text.length;
      takeName(call, fragment.name);
      append(call, piece);
      tell(call, call.text.length > length ? piece : '');
      completeIfWhole(call);
    },
    blockBegan: overtakeFront,
    ended(index) {
      const call = byIndex.get(index);
      if (!call) return;
      if (call === front) front = undefined;
      call.isOvertaken = true;
      completeIfWhole(call);
    },
    finish: () => calls.forEach((call) => (isWhole(call) || !call.text.trim()) && completeOnce(call)),
    end: () => calls.forEach(completeOnce),
    requests: () => calls.map(requestOf),
  };
}
