import type { Turn } from '../turn.ts';
import { list } from '../wire-values.ts';
import type { FunctionCall, PartialArgument } from './chunk.ts';
import { jsonPath, type JsonPath } from './json-path.ts';
import { streamedArguments } from './streamed-arguments.ts';

/** A call whose arguments come value by value. */
export interface UnfinishedCall {
  readonly index: number;
  readonly id: string | undefined;
  readonly name: string | undefined;
  /** Takes a piece; returns what it adds to the JSON text of the arguments. */
  add(piece: FunctionCall): string;
  /** Whether any argument has come. */
  isBegun(): boolean;
  /** Whether more of a text was announced. */
  isWithinText(): boolean;
  /** Returns the end of the JSON text. */
  end(): string;
}

export function unfinishedCall(turn: Turn, index: number, id: string | undefined, name: string | undefined): UnfinishedCall {
  const written = streamedArguments();
  /** The last path, which the pieces of one text share. */
  let lastPath: string | null | undefined;
  let steps: JsonPath | undefined;
  let isBegun = false;
  let isWithinText = false;

  const stepsOf = (path: string | null | undefined): JsonPath => {
    if (path !== lastPath) steps = jsonPath(path);
    lastPath = path;
    if (steps) return steps;
    throw turn.failure('malformedResponse', `the arguments of ${name ?? 'a call'} have a path that can't be read: ${path}`, true);
  };
  return {
    index,
    id,
    name,
    add({ args, partialArgs }) {
      let piece = '';
      const whole = typeof args === 'object' && args !== null ? Object.entries(args) : [];
      for (const [key, value] of whole) piece += written.set(key, value);
      for (const partial of list<PartialArgument>(partialArgs)) {
        const value = valueIn(partial);
        if (value !== undefined) piece += written.add(stepsOf(partial.jsonPath), value);
        isWithinText = partial.willContinue === true;
      }
      isBegun ||= piece !== '';
      return piece;
    },
    isBegun: () => isBegun,
    isWithinText: () => isWithinText,
    end: () => written.end(),
  };
}

const valueWords = ['stringValue', 'numberValue', 'boolValue', 'structValue', 'listValue'] as const;

/** The value, under whichever word it came; `undefined` where there is only the place for one. */
function valueIn(partial: PartialArgument): unknown {
  const word = valueWords.find((name) => partial[name] !== undefined && partial[name] !== null);
  if (word) return partial[word];
  return partial.nullValue === undefined ? undefined : null;
}
