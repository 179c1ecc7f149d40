import { isCut } from '../../chat/is-cut.ts';
import { rawItems } from '../raw-json.ts';
import type { Turn } from '../turn.ts';
import type { WireReader } from '../wire.ts';
import { isText, wireText } from '../wire-values.ts';
import type { Candidate, Chunk, Part, Usage } from './chunk.ts';
import { finishMeaning, isFailure, type FinishMeaning } from './finish-reasons.ts';
import { partReader } from './part-reader.ts';
import { countsOf } from './usage.ts';
import { withWrittenArguments } from './written-arguments.ts';

/** Reads the chunks of a stream of the Gemini API. */
export function geminiReader(turn: Turn): WireReader {
  const parts = partReader(turn);
  /** Nearly every chunk tells the counts so far: only the last ones are looked at. */
  let usage: Usage | undefined;
  /** What the finish word means; absent until it comes. A cut stays a cut, whatever word comes behind it. */
  let meaning: FinishMeaning | undefined;

  const isBroken = () => isFailure(meaning) || isCut(meaning);
  const addParts = ({ content }: Candidate, place: number, text: string): boolean => {
    let isPlaced = true;
    const told: unknown = content?.parts;
    let texts: readonly string[] | undefined;
    const textAt = (i: number) => (texts ??= rawItems(text, ['candidates', place, 'content', 'parts']))[i];
    for (const [i, part] of (Array.isArray(told) ? (told as readonly (Part | null)[]) : []).entries()) {
      if (!isObject(part)) continue;
      const whole = part.functionCall ? withWrittenArguments(part, text, () => textAt(i)) : part;
      if (!parts.add(whole, isBroken())) isPlaced = false;
    }
    return isPlaced;
  };
  const finish = (told: FinishMeaning, { finishReason, finishMessage }: Candidate) => {
    if (isFailure(told)) {
      const why = `the turn ended with ${finishReason}${isText(finishMessage) ? `: ${finishMessage}` : ''}`;
      throw turn.failure('malformedResponse', why, told === 'failure');
    }
    if (!isCut(told)) parts.finish();
    turn.finished(told);
  };
  /** Returns whether everything in it has a place among the events. */
  const add = (candidate: Candidate, place: number, text: string): boolean => {
    const isLast = isText(candidate.finishReason);
    if (isLast && !isBroken()) meaning = finishMeaning(candidate.finishReason);
    const isPlaced = addParts(candidate, place, text) && !hasMore(candidate);
    if (!isLast || !meaning) return isPlaced;
    finish(meaning, candidate);
    // Our words say less than these.
    return isPlaced && meaning !== 'contentFilter' && meaning !== 'other';
  };

  return {
    read(chunk: Chunk, _event, text = '') {
      const { candidates, promptFeedback, usageMetadata } = chunk;
      turn.identify(wireText(chunk.responseId), wireText(chunk.modelVersion));
      if (isCounted(usageMetadata)) usage = usageMetadata;
      // Of several answers the first: they must not be mixed.
      const place = candidates?.[0]?.index ? candidates.findIndex((one) => !one?.index) : 0;
      const candidate = candidates?.[place];
      const isBlocked = isText(promptFeedback?.blockReason);
      const isPlaced = isObject(candidate) ? add(candidate, place, text) : Boolean(usageMetadata ?? promptFeedback);
      if (isBlocked) turn.finished((meaning = 'contentFilter'));
      if (isBlocked || !isPlaced) turn.raw(chunk);
      return false;
    },
    end() {
      if (usage) turn.counted(countsOf(usage));
      if (meaning && !isBroken()) parts.finish();
    },
  };
}

function isObject<T extends object>(value: T | null | undefined): value is T {
  return typeof value === 'object' && value !== null;
}

/** Vertex AI begins with usage in which nothing is counted yet. */
function isCounted(usage: Usage | null | undefined): usage is Usage {
  return typeof (usage?.totalTokenCount ?? usage?.promptTokenCount ?? usage?.candidatesTokenCount) === 'number';
}

const knownFields: ReadonlySet<string> = new Set([
  'content',
  'index',
  'role',
  'finishReason',
  'finishMessage',
  'safetyRatings',
  'avgLogprobs',
  'tokenCount',
]);

/** Whether there is something beside the content, such as where the model has it from. */
function hasMore(candidate: Candidate): boolean {
  for (const field in candidate) {
    if (!knownFields.has(field) && isFilled((candidate as Readonly<Record<string, unknown>>)[field])) return true;
  }
  return false;
}

function isFilled(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}
