import { EMPTY, concatMap, map, tap, type Observable } from 'rxjs';
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
import type { AiServiceStreamingEvent } from './streaming-event.ts';
import { userCode } from './user-code.ts';

/** How often the model is asked to mend an answer that does not fit the `output`. */
const maxMisfits = 1;

/**
 * Judges the answer: first the output guardrails, then the `output`. Where it is refused, there is no answer any more, and
 * the next round asks again; where that was done too often, it errors.
 */
export function judgement(run: Run): Observable<AiServiceStreamingEvent> {
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

/** Takes the object from the answer. What does not fit is asked for again, and what was shown of it is taken back. */
function fitting(
  run: Run,
  { aiMessage: { text }, finishReason }: ChatResponse,
  { parse }: NonNullable<Run['settings']['outputFormat']>,
): Observable<AiServiceStreamingEvent> {
  const { gathered, invocation, policy } = run;
  return userCode(
    run,
    fromValue(() => parse(text)),
  ).pipe(
    concatMap((parsed): readonly AiServiceStreamingEvent[] => {
      if (parsed.ok) {
        gathered.output = { value: parsed.value };
        return [];
      }
      const { problem, cause } = parsed;
      // Asked again, a cut answer would be cut again: what would have to change is the request.
      const isHopeless = isCut(finishReason);
      const told = isHopeless ? `${problem} Its finish reason is ${finishReason}.` : problem;
      const error = new StructuredOutputError(told, { text, cause });
      if (isHopeless || gathered.misfits >= maxMisfits) throw error;
      gathered.misfits++;
      const isShown = gathered.text !== '' && !policy.holdsText;
      gathered.isTold = false;
      askAgain(run, `${problem}\nAnswer again, with the whole JSON object.`);
      return isShown ? [{ type: 'roundRestarted', error, invocation, round: gathered.round }] : [];
    }),
  );
}

/** With a prompt the model sees what it has said; memory never does. */
function askAgain(run: Run, prompt: string | undefined): void {
  const { conversation, gathered } = run;
  const { text } = gathered.finalResponse!.aiMessage;
  const refused: ChatMessage[] = text ? [{ role: 'assistant', text, toolExecutionRequests: [] }] : [];
  if (prompt !== undefined) conversation.addUnstored([...refused, { role: 'user', contents: [{ type: 'text', text: prompt }] }]);
  gathered.restarts = 0;
  dropAnswer(run);
}
