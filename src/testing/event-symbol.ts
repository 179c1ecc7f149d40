import type { AiServiceStreamingEvent } from '../service/streaming-event.ts';

/** Which tool a letter stands for, where that is not the first of the tool's name: `{ P: 'append' }`. */
export type ToolLetters = Readonly<Record<string, string>>;

/** What is drawn of events that belong to no tool. */
const symbols = {
  partialThinking: '~',
  partialToolCall: ':',
  retrievedContents: '=',
  roundRestarted: '&',
  intermediateResponse: '%',
  answerCut: '%',
  finalResponse: '$',
  retry: '@',
  raw: '?',
} as const;

/** What stands before a tool's letter. */
const marks = {
  toolApprovalRequested: '!',
  beforeToolExecution: '<',
  toolProgress: '*',
  afterToolExecution: '>',
  toolCompensated: '^',
} as const;

/** What a diagram has other uses for; a text like that is drawn as `t`. */
const reserved = /^[-|#()<>*!^~:=&%$@?\s]$/;

/** Throws an Error unless each key is one letter. */
export function checkLetters(letters: ToolLetters): void {
  const odd = Object.keys(letters).find((letter) => !/^\p{L}$/u.test(letter));
  if (odd === undefined) return;
  throw new Error(`letters: ${odd} is no letter; it must be { X: '${odd}' }, with the letter that stands for the tool.`);
}

/**
 * The symbol of an event: `t` a partial text (itself, if it is one letter), `~` a thought, `:` a piece of a call, `A` a complete call
 * of the tool a, `!a` its approval asked for, `<a` before and `>a` after its execution, `*a` its progress, `^a` its undoing,
 * `%` an intermediate response, or one that was cut, and `$` the final one, `@` a retry, `&` a restarted round, `=` retrieved contents, `?` a raw item.
 */
export function eventSymbol(event: AiServiceStreamingEvent, letters: ToolLetters = {}): string {
  const letterOf = (name: string) =>
    Object.entries(letters)
      .find(([, tool]) => tool === name)?.[0]
      .toLowerCase() ?? name.charAt(0);
  switch (event.type) {
    case 'partialResponse':
      return [...event.text].length === 1 && !reserved.test(event.text) ? event.text : 't';
    case 'completeToolCall':
      return letterOf(event.request.name).toUpperCase();
    case 'toolApprovalRequested':
    case 'beforeToolExecution':
    case 'toolProgress':
      return marks[event.type] + letterOf(event.request.name);
    case 'afterToolExecution':
    case 'toolCompensated':
      return marks[event.type] + letterOf(event.execution.request.name);
    default:
      return symbols[event.type];
  }
}
