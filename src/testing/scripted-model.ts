import { Observable, from, throwError } from 'rxjs';
import { ChatModelError } from '../chat/chat-model-error.ts';
import type { ChatModel, ChatModelEvent } from '../chat/chat-model.ts';
import type { ChatRequest } from '../chat/chat-request.ts';
import type { ChatResponse } from '../chat/chat-response.ts';
import type { ToolExecutionRequest } from '../chat/message.ts';
import { jsonText } from '../chat/json-safe.ts';
import { checkScript } from './check-script.ts';
import { drawMessage } from './draw-message.ts';
import { marbleSource, type Emission } from './marbles.ts';
import { matches } from './matches.ts';
import { drawSpan, logged, type SubscriptionSpan } from './subscription-log.ts';

/** One answer of the model, with more than a diagram says. */
export interface ScriptedRound {
  readonly marbles: string;
  /** What the answer says beyond its marbles. */
  readonly response?: Partial<ChatResponse>;
  /** What `#` stands for; a connection that was cut by default. */
  readonly error?: unknown;
  /** What the request must be at least, or a function that throws where it is not as it should be: the answer fails then. */
  readonly expects?: Partial<ChatRequest> | ((request: ChatRequest) => void);
}

/** One thing of an answer that comes at once: a text, a call, or any event. */
export type ScriptedItem =
  string | { readonly call: string; readonly arguments?: unknown; readonly id?: string } | ChatModelEvent;

/** An answer: a diagram, a list of what it says without any time passing, or more than that. */
export type ScriptedAnswer = string | readonly ScriptedItem[] | ScriptedRound;

export interface ScriptedModelOptions {
  /** What the capital letters stand for; by default `A` calls the tool `a` without arguments. */
  readonly calls?: Readonly<Record<string, Partial<ToolExecutionRequest>>>;
  /** Events of one's own, by symbol. */
  readonly events?: Readonly<Record<string, ChatModelEvent>>;
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

/** An answer that comes at once. */
function said(items: readonly ScriptedItem[]): Observable<ChatModelEvent> {
  let calls = 0;
  const told = items.map((item): ChatModelEvent => {
    if (typeof item === 'string') return { type: 'partialResponse', text: item };
    if ('type' in item) return item;
    const { call: name, arguments: written = {}, id = `call-${calls}` } = item;
    return { type: 'completeToolCall', index: calls++, request: { id, name, arguments: JSON.stringify(written) } };
  });
  const isWhole = told.some(({ type }) => type === 'completeResponse');
  return from(isWhole ? told : [...told, { type: 'completeResponse' as const, response: responseOf(told, {}) }]);
}

/** An answer that follows a diagram. */
function played(
  { marbles, response = {}, error = cut() }: ScriptedRound,
  calls: NonNullable<ScriptedModelOptions['calls']>,
  events: NonNullable<ScriptedModelOptions['events']>,
): Observable<ChatModelEvent> {
  return new Observable((subscriber) => {
    const told: ChatModelEvent[] = [];
    const emission = (symbol: string): Emission<ChatModelEvent> => {
      if (symbol === '#') return { error };
      const value = events[symbol] ?? eventOf(symbol, told.filter(({ type }) => type === 'completeToolCall').length, calls);
      told.push(value);
      return { value };
    };
    const last = (): ChatModelEvent => ({ type: 'completeResponse', response: responseOf(told, response) });
    return marbleSource(marbles, emission, () => [last()]).subscribe(subscriber);
  });
}

/** The error for a request that is not as the script wants it. */
function misfitOf(request: ChatRequest, expects: ScriptedRound['expects'], number: number): Error | undefined {
  if (expects === undefined) return undefined;
  if (typeof expects !== 'function') {
    if (matches(request, expects)) return undefined;
    return new Error(`Request ${number} is not as the script expects it, ${jsonText(expects)}; it is:\n${drawRequest(request)}`);
  }
  try {
    expects(request);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function eventOf(symbol: string, index: number, calls: NonNullable<ScriptedModelOptions['calls']>): ChatModelEvent {
  if (symbol === '~') return { type: 'partialThinking', text: symbol };
  if (!/^\p{Lu}$/u.test(symbol)) return { type: 'partialResponse', text: symbol };
  const request = { id: symbol, name: symbol.toLowerCase(), arguments: '{}', ...calls[symbol] };
  return { type: 'completeToolCall', index, request };
}

function responseOf(said: readonly ChatModelEvent[], response: Partial<ChatResponse>): ChatResponse {
  const textOf = (type: 'partialResponse' | 'partialThinking') =>
    said.map((event) => (event.type === type ? event.text : '')).join('');
  const toolExecutionRequests = said.flatMap((event) => (event.type === 'completeToolCall' ? [event.request] : []));
  const thinking = textOf('partialThinking');
  return {
    aiMessage: {
      role: 'assistant',
      text: textOf('partialResponse') || null,
      ...(thinking && { thinking }),
      toolExecutionRequests,
    },
    finishReason: toolExecutionRequests.length > 0 ? 'toolExecution' : 'stop',
    ...response,
  };
}

function cut(): Error {
  return new ChatModelError('scripted: the connection was lost', { kind: 'interrupted', provider: 'scripted', retryable: true });
}

function outOfScript(length: number, request: ChatRequest): Error {
  return new Error(
    `The script has ${length} answer${length === 1 ? '' : 's'}, and this is request ${length + 1}:\n${drawRequest(request)}`,
  );
}

function drawRequest({ messages }: ChatRequest): string {
  return messages.map((message) => `    ${drawMessage(message)}`).join('\n');
}
