import type { TokenUsage } from '../../chat/token-usage.ts';
import type { Turn } from '../turn.ts';
import type { WireReader } from '../wire.ts';
import { isText, list, wireText } from '../wire-values.ts';
import { finishMeaning } from './finish-reasons.ts';
import type { Line, LineCall, LineMessage } from './line.ts';

/** Reads the lines of a chat stream. */
export function ollamaReader(turn: Turn): WireReader {
  let calls = 0;
  /** Calls with an id, so that one that is told twice is one. */
  const told = new Set<string>();

  const addCall = ({ id, function: called }: LineCall, isLast: boolean) => {
    const wireId = wireText(id);
    const written = argumentsText(called?.arguments);
    const name = wireText(called?.name);
    if (wireId !== undefined) {
      const whole = JSON.stringify([wireId, name, written]);
      if (told.has(whole)) return;
      told.add(whole);
    }
    const index = calls++;
    turn.call({ index, id: wireId, name, arguments: written });
    // What comes with the finish word may be what a cut has left: the word decides.
    if (!isLast) turn.callEnded(index);
  };
  const addMessage = ({ thinking, content, tool_calls }: LineMessage, isLast: boolean) => {
    if (isText(thinking)) turn.thinking(thinking);
    if (isText(content)) turn.text(content);
    if (tool_calls) for (const call of list<LineCall>(tool_calls)) addCall(call, isLast);
  };
  const finish = (word: string) => {
    const meaning = finishMeaning(word);
    if (meaning !== 'unanswered') return turn.finished(meaning);
    const why = `the server answered with ${word} and nothing else, as it does where no message of a user is sent`;
    throw turn.failure('malformedResponse', why, false);
  };

  return {
    read(line: Line) {
      turn.identify(undefined, wireText(line.model));
      if (line.message) addMessage(line.message, Boolean(line.done));
      else if (!line.done) turn.raw(line);
      if (!line.done) return false;
      turn.counted(tokenUsage(line));
      // Older servers end without a word for it.
      if (isText(line.done_reason)) finish(line.done_reason);
      return true;
    },
  };
}

/** JSON text. A call comes whole, so that no arguments are `{}` and not yet to come. */
function argumentsText(written: unknown): string {
  if (typeof written === 'string') return written.trim() ? written : '{}';
  return written === undefined || written === null ? '{}' : JSON.stringify(written);
}

/** The counts that the done line tells: one that is 0, such as that of a prompt from the cache, it leaves out. */
function tokenUsage({ prompt_eval_count: input, eval_count: output }: Line): TokenUsage | undefined {
  const usage = {
    ...(typeof input === 'number' && { inputTokens: input }),
    ...(typeof output === 'number' && { outputTokens: output }),
  };
  return Object.keys(usage).length > 0 ? usage : undefined;
}
