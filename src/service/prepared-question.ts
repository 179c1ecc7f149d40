import { EMPTY, concat, concatMap, defer, ignoreElements, map, of, tap, type Observable } from 'rxjs';
import type { ChatMessage, UserMessage } from '../chat/message.ts';
import { InputGuardrailExecutedEvent } from '../event/guardrail-events.ts';
import { failingBy } from './failing-by.ts';
import { runInputGuardrails } from './guardrail/run-input-guardrails.ts';
import type { Run } from './run.ts';
import type { AiServiceStreamingEvent } from './streaming-event.ts';
import { userCode } from './user-code.ts';

/**
 * Makes the user's message into the one that the model gets: with what was retrieved for it, as the guardrails let it pass, and
 * with what the model has to know of the form of its answer.
 *
 *     retrieval   -------r|
 *     guardrails          ---s|
 *     events      -------r---|       retrievedContents, if there are any
 */
export function preparedQuestion(run: Run): Observable<AiServiceStreamingEvent> {
  const { conversation, gathered, invocation, policy, settings } = run;
  const { augmentor, inputGuardrails = [], outputFormat, storeRetrievedContentInChatMemory: keepsAll = true } = settings;
  const instructions = policy.responseFormat ? undefined : outputFormat?.instructions;
  if (!augmentor && inputGuardrails.length === 0 && !instructions) return EMPTY;
  const { originalUserMessage } = invocation;
  let augmented = originalUserMessage;
  const retrieved$ = (messages: readonly ChatMessage[]): Observable<AiServiceStreamingEvent> =>
    augmentor
      ? userCode(run, augmentor({ userMessage: originalUserMessage, messages, invocation })).pipe(
          tap(({ userMessage, contents }) => {
            augmented = userMessage;
            gathered.sources = contents;
          }),
          concatMap(({ contents }) =>
            contents.length > 0
              ? of<AiServiceStreamingEvent>({ type: 'retrievedContents', contents, invocation, round: 0 })
              : EMPTY,
          ),
        )
      : EMPTY;
  const passed$ = (messages: readonly ChatMessage[]) =>
    guarded(run, augmented, messages).pipe(
      tap((passed) => {
        const shown = instructions ? withText(passed, instructions) : passed;
        // What a guardrail has rewritten must not be kept as it was.
        const kept = keepsAll || passed !== augmented ? passed : originalUserMessage;
        conversation.ask(shown, kept);
        (invocation as { userMessage: UserMessage }).userMessage = shown;
      }),
      ignoreElements(),
    );
  return conversation.messages().pipe(
    map((messages) => messages.slice(0, -1)),
    concatMap((messages) =>
      concat(
        retrieved$(messages),
        defer(() => passed$(messages)),
      ),
    ),
  );
}

function guarded(run: Run, userMessage: UserMessage, messages: readonly ChatMessage[]): Observable<UserMessage> {
  const { invocation, settings } = run;
  if (!settings.inputGuardrails?.length) return of(userMessage);
  const watch = {
    now: () => settings.scheduler.now(),
    asUserCode: <T>(source: Observable<T>) => userCode(run, source),
    onExecuted: (guardrail: string, result: InputGuardrailExecutedEvent['result'], duration: number, judged: UserMessage) =>
      run.fire(() => new InputGuardrailExecutedEvent({ invocation, guardrail, userMessage: judged, result, duration })),
  };
  return runInputGuardrails(settings.inputGuardrails, { userMessage, messages, invocation }, watch).pipe(
    map((outcome) => {
      if (outcome.type === 'success') return outcome.userMessage;
      throw outcome.error;
    }),
    failingBy(run, 'guardrail'),
  );
}

function withText(message: UserMessage, text: string): UserMessage {
  return { ...message, contents: [...message.contents, { type: 'text', text }] };
}
