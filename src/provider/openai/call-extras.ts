import { isObject } from '../../chat/is-object.ts';
import type { AiMessage, ToolExecutionRequest } from '../../chat/message.ts';
import type { CallPlace } from '../open-call.ts';
import { sentParts } from '../sent-parts.ts';
import type { Turn } from '../turn.ts';
import type { PartExtra, TurnPart } from '../turn-parts.ts';

/** Where a server puts what it needs back with a call: Gemini, behind this API, the signature of its thought. */
const field = 'extra_content';
/** Under which attribute of the answer it is kept. */
const attribute = 'callExtras';

/** Keeps what comes with the calls of a turn, each with its call, whose id may be changed before it goes back. */
export function keptCallExtras(turn: Turn): (call: CallPlace, extra: unknown) => boolean {
  const calls: TurnPart[] = [];
  return ({ position, id }, extra) => {
    calls[position] ??= { type: 'call', id };
    if (!isObject(extra)) return false;
    calls[position] = { type: 'call', id, extra: { [field]: extra } };
    turn.rememberGrowing(attribute, () => [...calls]);
    return true;
  };
}

/** What goes back with each call. */
export function sentCallExtras(message: AiMessage): ReadonlyMap<ToolExecutionRequest, PartExtra> {
  if (!message.attributes?.[attribute]) return new Map();
  return new Map(
    sentParts(message, attribute).flatMap((part) => {
      const extra = part.type === 'call' ? part.extra?.[field] : undefined;
      return part.type === 'call' && isObject(extra) ? [[part.request, { [field]: extra }] as const] : [];
    }),
  );
}
