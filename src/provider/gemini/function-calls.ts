import { repeatedCalls } from '../repeated-calls.ts';
import type { Turn } from '../turn.ts';
import { isText } from '../wire-values.ts';
import type { FunctionCall } from './chunk.ts';
import { unfinishedCall, type UnfinishedCall } from './unfinished-call.ts';

/** Tells a turn of the calls that a stream holds, whole or in pieces. */
export interface FunctionCalls {
  /** `isCut`: the same chunk says that the turn was broken off, which may have been in this call. */
  add(call: FunctionCall, signature: unknown, isCut: boolean): void;
  /** The turn is over, and was not broken off: calls that wait for more are whole. */
  finish(): void;
}

export function functionCalls(turn: Turn): FunctionCalls {
  let count = 0;
  /** By their ids; one without by its place. */
  const unfinished = new Map<string | number, UnfinishedCall>();
  /** The unfinished call spoken of last: a piece that names none belongs to it. */
  let latest: UnfinishedCall | undefined;
  const isRepeated = repeatedCalls();

  const continued = (piece: FunctionCall): UnfinishedCall | undefined => {
    const { id, name } = piece;
    const known = isText(id) ? unfinished.get(id) : undefined;
    if (known || !latest) return known;
    const isOther = (isText(id) && latest.id !== undefined) || (isText(name) && name !== latest.name);
    return isOther || (isStart(piece) && latest.isBegun()) ? undefined : latest;
  };
  const mark = (id: unknown, signature: unknown) => {
    // The provider's own id goes back only where it gave one.
    const extra = { ...(isText(id) && { id }), ...(isText(signature) && { thoughtSignature: signature }) };
    if (Object.keys(extra).length > 0) turn.mark(extra);
  };
  const leave = (call: UnfinishedCall) => {
    unfinished.delete(call.id ?? call.index);
    if (latest === call) latest = undefined;
  };
  const end = (call: UnfinishedCall) => {
    leave(call);
    turn.call({ index: call.index, arguments: call.end() });
    turn.callEnded(call.index);
  };
  /** The wire has not said that the call is whole, but nothing more comes. A text of which more was announced stays without its end. */
  const abandon = (call: UnfinishedCall) => (call.isWithinText() ? leave(call) : end(call));
  const goOn = (call: UnfinishedCall, piece: FunctionCall, isCut: boolean) => {
    latest = call;
    const written = call.add(piece);
    if (written) turn.call({ index: call.index, arguments: written });
    if (!piece.willContinue && !isCut) end(call);
  };
  const begin = (call: FunctionCall, signature: unknown, isCut: boolean) => {
    const id = isText(call.id) ? call.id : undefined;
    const name = isText(call.name) ? call.name : undefined;
    // Only calls that have ids may take turns.
    if (latest && !(id && latest.id)) abandon(latest);
    const isWhole = !call.willContinue && !call.partialArgs;
    const written = isWhole ? argumentsText(call.args) : '';
    if (isWhole && isRepeated(id, name, written)) return;
    const index = count++;
    turn.call({ index, id, name, arguments: (isWhole && call.written) || written });
    mark(id, signature);
    if (!isWhole) {
      const begun = unfinishedCall(turn, index, id, name);
      unfinished.set(id ?? index, begun);
      goOn(begun, call, isCut);
    } else if (!isCut) turn.callEnded(index);
  };

  return {
    add(call, signature, isCut) {
      const known = continued(call);
      if (known) {
        if (signature) mark(undefined, signature);
        goOn(known, call, isCut);
      } else if (isText(call.name) || isText(call.id) || call.args) begin(call, signature, isCut);
    },
    finish: () => unfinished.forEach(abandon),
  };
}

/** A name without arguments, of which more comes, is how a call begins. */
function isStart({ name, args, partialArgs, willContinue }: FunctionCall): boolean {
  return isText(name) && Boolean(willContinue) && !args && !partialArgs;
}

/** No arguments are an object without keys: the wire leaves it out. */
function argumentsText(args: unknown): string {
  return typeof args === 'string' ? args || '{}' : JSON.stringify(args ?? {});
}
