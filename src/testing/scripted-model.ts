import { Observable, throwError } from 'rxjs';
import type { ChatModel, ChatModelEvent } from '../chat/chat-model.ts';
import type { ChatRequest } from '../chat/chat-request.ts';
import type { ToolExecutionRequest } from '../chat/message.ts';
import { jsonText } from '../chat/json-safe.ts';
import { checkScript } from './check-script.ts';
import { drawMessage } from './draw-message.ts';
import { matches } from './matches.ts';
import { played, said, type ScriptedAnswer, type ScriptedItem, type ScriptedRound } from './scripted-answer.ts';
import { drawSpan, logged, type SubscriptionSpan } from './subscription-log.ts';

export interface ScriptedModelOptions {
  /** What the capital letters stand for; by default `A` calls the tool `a` without arguments. */
  readonly calls?: Readonly<Record<string, Partial<ToolExecutionRequest>>> | undefined;
  /** Events of one's own, by symbol. */
  readonly events?: Readonly<Record<string, ChatModelEvent>> | undefined;
}

export interface ScriptedModel extends ChatModel {
  readonly requests: readonly ChatRequest[];
  /** The subscriptions to its answers, drawn. */
  subscriptions(): readonly string[];
}

/**
 * A model that answers from a script, one answer a request. In a diagram `t` streams the text t, `~` a thought, `A` is a complete
 * call of the tool a (or what `calls` says of A), `|` ends the answer, and `#` breaks it; a list is told at once. A request
 * beyond the script fails, and the error draws it. Throws a `ConfigurationError` on a script that can't be followed.
 *
 * @example
 * scriptedModel(['-t-A-B|', '-z|']);
 * scriptedModel([['Let me see. ', { call: 'add', arguments: { a: 1 } }], ['It is 2.']]);
 */
export function scriptedModel(answers: readonly ScriptedAnswer[], options: ScriptedModelOptions = {}): ScriptedModel {
  checkScript(answers, options);
  const { calls = {}, events = {} } = options;
  const requests: ChatRequest[] = [];
  const spans: SubscriptionSpan[] = [];
  return {
    provider: 'scripted',
    requests,
    subscriptions: () => spans.map(drawSpan),
    chat: (request) =>
      new Observable<ChatModelEvent>((subscriber) => {
        requests.push(request);
        const answer = answers[requests.length - 1];
        const answer$ = answer === undefined ? throwError(() => outOfScript(answers.length, request)) : answerTo(request, answer);
        return logged(answer$, spans).subscribe(subscriber);
      }),
  };

  function answerTo(request: ChatRequest, answer: ScriptedAnswer): Observable<ChatModelEvent> {
    if (isList(answer)) return said(answer);
    const round: ScriptedRound = typeof answer === 'string' ? { marbles: answer } : answer;
    const misfit = misfitOf(request, round.expects, requests.length);
    return misfit === undefined ? played(round, calls, events) : throwError(() => misfit);
  }
}

function isList(answer: ScriptedAnswer): answer is readonly ScriptedItem[] {
  return Array.isArray(answer);
}

/** The error for a request that is not as the script wants it. */
function misfitOf(request: ChatRequest, expects: ScriptedRound['expects'], number: number): Error | undefined {
  if (expects === undefined) return undefined;
  if (typeof expects !== 'function') {
    if (matches(request, expects)) return undefined;
    return new Error(
      `Request ${number} is not as the script expects it, ${jsonText(expects)}; it is:${settingsOf(request, expects)}\n${drawRequest(request)}`,
    );
  }
  try {
    expects(request);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** What the request says of what is expected, but for messages, which are drawn, and for what goes to the provider, which may be secret. */
function settingsOf(request: ChatRequest, expects: Partial<ChatRequest>): string {
  const settings = Object.keys(expects ?? {}).filter((key) => key !== 'messages' && key !== 'providerOptions');
  return settings.map((key) => `\n    ${key}: ${jsonText(request[key as keyof ChatRequest])}`).join('');
}

function outOfScript(length: number, request: ChatRequest): Error {
  return new Error(
    `The script has ${length} answer${length === 1 ? '' : 's'}, and this is request ${length + 1}:\n${drawRequest(request)}`,
  );
}

function drawRequest({ messages }: ChatRequest): string {
  return messages.map((message) => `    ${drawMessage(message)}`).join('\n');
}
