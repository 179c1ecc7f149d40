import { isObject } from '../../chat/is-object.ts';
import type { AiMessage, ToolExecutionRequest } from '../../chat/message.ts';
import { argumentsJson } from '../arguments-json.ts';
import { onceFor } from '../once-for.ts';
import { sentParts, type SentPart } from '../sent-parts.ts';
import { wireJson } from '../wire-json.ts';
import { geminiName } from './gemini-api.ts';

/** An answer of the model on its way back. */
export interface ModelTurn {
  /** The parts, as JSON text. */
  readonly parts: string;
  /** The ids that the provider gave its calls, by the ids that they have in our history. */
  readonly providerIds: ReadonlyMap<string, string>;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * What the provider documents to stand for the signature of a call that it did not make, so that a history of another
 * model is taken.
 */
const foreignSignature = 'skip_thought_signature_validator';

/** An answer as this API takes it, for models that want each first call signed and for those that do not. */
export const modelTurn = {
  signed: onceFor((message: AiMessage) => rendered(message, true)),
  plain: onceFor((message: AiMessage) => rendered(message, false)),
};

/** `hidden`: the ids of the provider that must not be told. */
export function rendered(message: AiMessage, isSigned: boolean, hidden?: ReadonlySet<string>): ModelTurn {
  const providerIds = new Map<string, string>();
  let isFirstCall = true;
  const callPart = (request: ToolExecutionRequest, extra: Json | undefined): string => {
    const id = textIn(extra, 'id');
    const isTold = id !== undefined && !hidden?.has(id);
    if (isTold) providerIds.set(request.id, id);
    const signature = textIn(extra, 'thoughtSignature') ?? (isSigned && isFirstCall ? foreignSignature : undefined);
    isFirstCall = false;
    const called = wireJson({ ...(isTold && { id }), name: geminiName(request.name) }).slice(0, -1);
    const signed = signature === undefined ? '' : `,"thoughtSignature":${wireJson(signature)}`;
    return `{"functionCall":${called},"args":${argumentsJson(request.arguments)}}${signed}}`;
  };
  const partsFor = (part: SentPart): readonly string[] => {
    if (part.type === 'call') return [callPart(part.request, part.extra)];
    if (part.type === 'kept') return isObject(part.part) ? [wireJson(part.part)] : [];
    const thoughtSignature = textIn(part.extra, 'thoughtSignature');
    // An empty part is refused unless it is signed.
    if (!part.text && !thoughtSignature) return [];
    return [wireJson({ text: part.text, ...(thoughtSignature && { thoughtSignature }) })];
  };
  return { parts: sentParts(message, 'gemini').flatMap(partsFor).join(','), providerIds };
}

function textIn(extra: Json | undefined, key: string): string | undefined {
  const value = extra?.[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
