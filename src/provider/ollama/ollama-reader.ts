import { wordsIn } from '../provider-error.ts';
import { mayRound, rawItems, rawJson } from '../raw-json.ts';
import { repeatedCalls } from '../repeated-calls.ts';
import type { Turn } from '../turn.ts';
import type { WireReader } from '../wire.ts';
import { isText, list, wireText } from '../wire-values.ts';
import { finishMeaning } from './finish-reasons.ts';
import type { Line, LineCall, LineMessage } from './line.ts';

/** Reads the lines of a chat stream. */
export function ollamaReader(turn: Turn): WireReader {
  let calls = 0;
  const isRepeated = repeatedCalls();

  const addCall = ({ id, function: called }: LineCall, isLast: boolean) => {
    const wireId = wireText(id);
    const written = argumentsText(called?.arguments);
    const name = wireText(called?.name);
    if (isRepeated(wireId, name, written)) return;
    const index = calls++;
    turn.call({ index, id: wireId, name, arguments: called?.written ?? written });
    // What comes with the finish word may be what a cut has left: the word decides.
    if (!isLast) turn.callEnded(index);
  };
  const addMessage = ({ thinking, content, tool_calls }: LineMessage, isLast: boolean, text: string) => {
    if (isText(thinking)) turn.thinking(thinking);
    if (isText(content)) turn.text(content);
    if (tool_calls) for (const call of callsIn(tool_calls, text)) addCall(call, isLast);
  };
  const finish = (word: string) => {
    const meaning = finishMeaning(word);
    if (meaning !== 'unanswered') return turn.finished(meaning);
    const why = `the server answered with ${word} and nothing else, as it does where no message of a user is sent`;
    throw turn.failure('malformedResponse', why, false);
  };

  return {
    read(line: Line, _event, text = '') {
      turn.identify(undefined, wireText(line.model));
      if (line.message) addMessage(line.message, Boolean(line.done), text);
      else if (!line.done) turn.raw(line);
      if (!line.done) return false;
      // A count that is 0, such as that of a prompt from the cache, is left out.
      turn.counted({ inputTokens: line.prompt_eval_count, outputTokens: line.eval_count });
      // Older servers end without a word for it.
      if (isText(line.done_reason)) finish(line.done_reason);
      return true;
    },
    failureIn,
  };
}

/** An error whose key is half of its words: `{"error parsing tool call":"…"}`. */
function failureIn(line: object): unknown {
  return Object.keys(line)[0]?.startsWith('error ') && wordsIn(line) ? line : undefined;
}

/** The calls of a line, with their arguments as its text has them, where parsing may have changed a long number. */
function callsIn(told: unknown, line: string): readonly LineCall[] {
  if (!mayRound(line)) return list<LineCall>(told);
  const withWritten = (call: LineCall | null, text = ''): LineCall | null => {
    const called = call?.function;
    if (typeof called?.arguments !== 'object' || called.arguments === null) return call;
    const written = rawJson(text, ['function', 'arguments']);
    return { ...call, function: { ...called, ...(written !== undefined && { written }) } };
  };
  const path = ['message', 'tool_calls'];
  if (!Array.isArray(told)) return list<LineCall>(withWritten(told as LineCall, rawJson(line, path)));
  const texts = rawItems(line, path);
  return list<LineCall>(told.map((call, place) => withWritten(call as LineCall | null, texts[place])));
}

/** JSON text. A call comes whole, so that no arguments are `{}` and not yet to come. */
function argumentsText(written: unknown): string {
  if (typeof written === 'string') return written.trim() ? written : '{}';
  return written === undefined || written === null ? '{}' : JSON.stringify(written);
}
