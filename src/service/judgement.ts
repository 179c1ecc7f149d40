import { EMPTY, concatMap, ignoreElements, map, tap, type Observable } from 'rxjs';
import type { ChatResponse } from '../chat/chat-response.ts';
import { isCut } from '../chat/is-cut.ts';
import type { ChatMessage } from '../chat/message.ts';
import { fromValue } from '../chat/value.ts';
import { OutputGuardrailExecutedEvent } from '../event/guardrail-events.ts';
import { dropAnswer } from './drop-answer.ts';
import { failingBy } from './failing-by.ts';
import { runOutputGuardrails } from './guardrail/run-output-guardrails.ts';
import { StructuredOutputError } from './output/structured-output-error.ts';
import type { Run } from './run.ts';
import { userCode } from './user-code.ts';

/** How often the model is asked to mend an answer that does not fit the `output`. */
const maxMisfits = 1;

/**
 * Judges the answer: first the output guardrails, then the `output`. Where it is refused, there is no answer any more, and
 * the next round asks again; where that was done too often, it errors.
 */
export function judgement(run: Run): Observable<never> {
  const { gathered, settings } = run;
  const { outputGuardrails = [], outputFormat } = settings;
  // The results of tools are what their authors made of them.
  if (gathered.isImmediate || (outputGuardrails.length === 0 && !outputFormat)) return EMPTY;
  return run.conversation.messages().pipe(
    concatMap((messages) => (outputGuardrails.length > 0 ? guarded(run, messages) : [gathered.finalResponse])),
    concatMap((response) => (response && outputFormat ? fitting(run, response, outputFormat) : EMPTY)),
    failingBy(run, 'guardrail'),
    // Whoever goes on from here, such as a retry(), must not be given what has not passed.
    tap({ error: () => dropAnswer(run), unsubscribe: () => dropAnswer(run) }),
    ignoreElements(),
  );
}

/** Emits the answer that has passed, or `undefined` where the model is to be asked again. */
function guarded(run: Run, messages: readonly ChatMessage[]): Observable<ChatResponse | undefined> {
  const { gathered, invocation, settings } = run;
  const watch = {
    now: () => settings.scheduler.now(),
    asUserCode: <T>(source: Observable<T>) => userCode(run, source),
    onExecuted: (guardrail: string, result: OutputGuardrailExecutedEvent['result'], duration: number, response: ChatResponse) =>
      run.fire(() => new OutputGuardrailExecutedEvent({ invocation, guardrail, response, result, duration })),
  };
  const request = { response: gathered.finalResponse!, messages, invocation, attempt: gathered.refusals + 1 };
  return runOutputGuardrails(settings.outputGuardrails!, request, watch).pipe(
    map((outcome) => {
      if (outcome.type === 'success') return (gathered.finalResponse = outcome.response);
      if (outcome.type === 'failed' || gathered.refusals >= settings.maxOutputGuardrailRetries) throw outcome.error;
      gathered.refusals++;
      askAgain(run, outcome.type === 'reprompt' ? outcome.prompt : undefined);
      return undefined;
    }),
  );
}

function fitting(
  run: Run,
  { aiMessage: { text }, finishReason }: ChatResponse,
  { parse }: NonNullable<Run['settings']['outputFormat']>,
): Observable<unknown> {
  const { gathered } = run;
  return userCode(
    run,
    fromValue(() => parse(text)),
  ).pipe(
    tap((parsed) => {
      if (parsed.ok) {
        gathered.output = { value: parsed.value };
      } else if (isCut(finishReason)) {
        // Asked again, it would be cut again: what would have to change is the request.
        const problem = `${parsed.problem} Its finish reason is ${finishReason}.`;
        throw new StructuredOutputError(problem, { text, cause: parsed.cause });
      } else if (gathered.misfits < maxMisfits) {
        gathered.misfits++;
        askAgain(run, `${parsed.problem}\nAnswer again, with the whole JSON object.`);
      } else {
        throw new StructuredOutputError(parsed.problem, { text, cause: parsed.cause });
      }
    }),
  );
}

/** With a prompt the model sees what it has said; memory never does. */
function askAgain(run: Run, prompt: string | undefined): void {
  const { conversation, gathered } = run;
  const { text } = gathered.finalResponse!.aiMessage;
  const refused: ChatMessage[] = text ? [{ role: 'assistant', text, toolExecutionRequests: [] }] : [];
  if (prompt !== undefined) conversation.addUnstored([...refused, { role: 'user', contents: [{ type: 'text', text: prompt }] }]);
  dropAnswer(run);
}
