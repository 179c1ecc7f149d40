import type { AiMessage, ToolExecutionRequest } from '../chat/message.ts';
import type { PartExtra, TurnPart } from './turn-parts.ts';

/** One part of an answer on its way back to the provider. */
export type SentPart =
  | { readonly type: 'text'; readonly text: string; readonly extra?: PartExtra | undefined }
  | { readonly type: 'call'; readonly request: ToolExecutionRequest; readonly extra?: PartExtra | undefined }
  | { readonly type: 'kept'; readonly part: unknown };

/**
 * The parts of an answer, in the order in which the model wrote them, as far as they were kept under `key`. The message
 * has the last word on what was said: a text or a call that was changed or taken out in it is so in its parts too.
 */
export function sentParts({ text, toolExecutionRequests, attributes }: AiMessage, key: string): readonly SentPart[] {
  const known = partsIn(attributes?.[key]);
  const nextText = textsOf(text ?? '', known);
  const nextCall = callsOf(toolExecutionRequests, known);
  const parts = known.flatMap<SentPart>((part) => {
    if (part.type === 'kept') return [part];
    if (part.type === 'text') return [{ type: 'text', text: nextText(part.length), extra: part.extra }];
    const request = nextCall(part.id);
    return request ? [{ type: 'call', request, extra: part.extra }] : [];
  });
  const rest = nextText(Infinity);
  if (rest) parts.splice(firstCall(parts), 0, { type: 'text', text: rest });
  for (let request = nextCall(); request; request = nextCall()) parts.push({ type: 'call', request });
  return parts;
}

/** Takes the text piece by piece; one that is not as long as its parts were has been changed, and is taken whole. */
function textsOf(text: string, parts: readonly TurnPart[]): (length: number) => string {
  const length = parts.reduce((sum, part) => sum + (part.type === 'text' ? part.length : 0), 0);
  let taken = 0;
  return (wanted) => {
    const end = length === text.length && wanted !== Infinity ? taken + wanted : text.length;
    const piece = text.slice(taken, end);
    taken = end;
    return piece;
  };
}

/** Takes a call by its id; one whose id was changed since by its place among those; without an id, the next that is left. */
function callsOf(
  requests: readonly ToolExecutionRequest[],
  parts: readonly TurnPart[],
): (id?: string) => ToolExecutionRequest | undefined {
  const ids = new Set(parts.flatMap((part) => (part.type === 'call' ? [part.id] : [])));
  const left = [...requests];
  const take = (fits: (request: ToolExecutionRequest) => boolean) => {
    const place = left.findIndex(fits);
    return place < 0 ? undefined : left.splice(place, 1)[0];
  };
  return (id) =>
    id === undefined ? left.shift() : (take((request) => request.id === id) ?? take((request) => !ids.has(request.id)));
}

function firstCall(parts: readonly SentPart[]): number {
  const place = parts.findIndex(({ type }) => type === 'call');
  return place < 0 ? parts.length : place;
}

/** Attributes may come from anywhere: what is no part is left out. */
function partsIn(value: unknown): readonly TurnPart[] {
  return Array.isArray(value) ? value.filter(isPart) : [];
}

function isPart(value: unknown): value is TurnPart {
  if (typeof value !== 'object' || value === null) return false;
  const { type, length, id, part, extra } = value as Record<string, unknown>;
  if (extra !== undefined && (typeof extra !== 'object' || extra === null)) return false;
  if (type === 'text') return Number.isInteger(length) && (length as number) >= 0;
  return type === 'call' ? typeof id === 'string' : type === 'kept' && part !== undefined;
}
