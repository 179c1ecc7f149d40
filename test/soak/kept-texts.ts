import type { ChatMessage } from '../../src/chat/message.ts';
import type { Ledger, ToolRun } from './ledger.ts';

/** What a result says of work that was to be undone. A call that was cancelled says that, if only with the end of its words. */
const undoneTexts = /rolled back because|may still stand|was cancelled|missing here …\]\n\S*elled\./;

/** What it says besides where its call was stopped by hand: a hook that fails then has the neutral text told. */
const stoppedTexts = new RegExp(`${undoneTexts.source}|^Tool execution did not complete\\.$`);

/** Whether a text is what is left of one that was too long. */
const isShortened = (text: string): boolean => text.includes('characters are missing here');

/** What is missing in a history that has kept everything of a completed invocation: its answer, and what its tools have done. */
export function keptTextViolations(messages: readonly ChatMessage[], ledger: Ledger): readonly string[] {
  const { answer, isAnswerBent, runs } = ledger;
  const isAnswerKept = messages.some((message) => message.role === 'assistant' && message.text === answer);
  return [
    ...(!answer || isAnswerBent || isAnswerKept ? [] : [`the answer is not kept: ${answer.slice(0, 200)}`]),
    ...runs.flatMap((run) => resultViolation(run, messages) ?? []),
  ];
}

function resultViolation(run: ToolRun, messages: readonly ChatMessage[]): string | undefined {
  const { tool, callId, text, outcome, undos, isLate, isStopped, signal } = run;
  // The model is told nothing of a tool that went on when its call was stopped.
  if (outcome !== 'succeeded' || isLate || signal.aborted) return undefined;
  const results = messages.filter((message) => message.role === 'tool' && message.id === callId);
  const said = results.flatMap((message) =>
    message.role === 'tool' ? message.contents.map((content) => (content.type === 'text' ? content.text : '')) : [],
  );
  const isUndoTold = (result: string) => (isStopped ? stoppedTexts : undoneTexts).test(result);
  const isTold = said.some((result) => (undos > 0 ? isUndoTold(result) : result.startsWith(text) || isShortened(result)));
  const wanted = undos > 0 ? 'that it was undone' : text;
  return isTold ? undefined : `the result of ${tool} (${callId}) is to say ${wanted}, and says ${said.join().slice(0, 200)}`;
}
