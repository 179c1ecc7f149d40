import { Observable, throwError } from 'rxjs';
import { ChatModelError } from '../chat/chat-model-error.ts';
import type { ChatModel, ChatModelEvent } from '../chat/chat-model.ts';
import type { ChatRequest } from '../chat/chat-request.ts';
import type { ChatResponse } from '../chat/chat-response.ts';
import type { ToolExecutionRequest } from '../chat/message.ts';
import { marbleSource, type Emission } from './marbles.ts';
import { drawSpan, logged, type SubscriptionSpan } from './subscription-log.ts';

/** One answer of the model. */
export interface ScriptedRound {
  readonly marbles: string;
  /** What the answer says beyond its marbles. */
  readonly response?: Partial<ChatResponse>;
  /** What `#` stands for; a connection that was cut by default. */
  readonly error?: unknown;
}

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
 * A model that answers from a script, one diagram a request: `t` streams the text t, `~` a thought, `A` a complete call of
 * the tool a, `|` ends the answer, and `#` breaks it.
 *
 * @example
 * scriptedModel(['-t-A-B|', '-z|']);
 */
export function scriptedModel(
  rounds: readonly (string | ScriptedRound)[],
  { calls = {}, events = {} }: ScriptedModelOptions = {},
): ScriptedModel {
  const requests: ChatRequest[] = [];
  const spans: SubscriptionSpan[] = [];
  return {
    provider: 'scripted',
    requests,
    subscriptions: () => spans.map(drawSpan),
    chat: (request) =>
      new Observable<ChatModelEvent>((subscriber) => {
        requests.push(request);
        const round = rounds[requests.length - 1];
        const answer =
          round === undefined ? throwError(() => outOfScript(rounds.length, request)) : answerOf(round, calls, events);
        return logged(answer, spans).subscribe(subscriber);
      }),
  };
}

function answerOf(
  round: string | ScriptedRound,
  calls: NonNullable<ScriptedModelOptions['calls']>,
  events: NonNullable<ScriptedModelOptions['events']>,
): Observable<ChatModelEvent> {
  const { marbles, response = {}, error = cut() }: ScriptedRound = typeof round === 'string' ? { marbles: round } : round;
  return new Observable((subscriber) => {
    const said: ChatModelEvent[] = [];
    const emission = (symbol: string): Emission<ChatModelEvent> => {
      if (symbol === '#') return { error };
      const value = events[symbol] ?? eventOf(symbol, said.filter(({ type }) => type === 'completeToolCall').length, calls);
      said.push(value);
      return { value };
    };
    const last = (): ChatModelEvent => ({ type: 'completeResponse', response: responseOf(said, response) });
    return marbleSource(marbles, emission, () => [last()]).subscribe(subscriber);
  });
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
    `The script has ${length} answers, and this is request ${length + 1}; its last message is ${JSON.stringify(request.messages.at(-1))}.`,
  );
}
