import type { Turn } from '../turn.ts';
import { isText } from '../wire-values.ts';
import type { Part } from './chunk.ts';
import { functionCalls, type FunctionCalls } from './function-calls.ts';

/** Tells a turn of the parts of an answer. */
export interface PartReader extends Pick<FunctionCalls, 'finish'> {
  /**
   * Returns whether the part has a place among the events. `isCut`: the same chunk says that the turn was broken off, which
   * may have been in this part.
   */
  add(part: Part, isCut: boolean): boolean;
}

export function partReader(turn: Turn): PartReader {
  const calls = functionCalls(turn);

  const addText = (part: Part, text: string) => {
    const { thoughtSignature } = part;
    if (!isText(thoughtSignature)) {
      if (text) turn.text(text);
    } else if (text) {
      // A part that is signed must not be joined with another.
      turn.blockBegan();
      turn.text(text);
      turn.mark({ thoughtSignature });
    } else turn.keep(part);
  };
  const addThought = (part: Part, text: string) => {
    if (text) turn.thinking(text);
    if (isText(part.thoughtSignature)) turn.keep(part);
  };
  /** What is neither text nor call, such as code that the provider ran or a picture. */
  const addOther = (part: Part): boolean => {
    const isEmpty = Object.keys(part).every((key) => key === 'thought' || key === 'thoughtSignature');
    if (isEmpty) {
      // Without a content it would be refused on its way back.
      if (isText(part.thoughtSignature)) turn.keep({ text: '', ...part });
      return true;
    }
    turn.blockBegan();
    // Thoughts go back only where they are signed.
    if (!part.thought || isText(part.thoughtSignature)) turn.keep(part);
    return false;
  };
  return {
    add(part, isCut) {
      if (part.functionCall) calls.add(part.functionCall, part.thoughtSignature, isCut);
      else if (typeof part.text !== 'string') return addOther(part);
      else if (part.thought) addThought(part, part.text);
      else addText(part, part.text);
      return true;
    },
    finish: calls.finish,
  };
}
