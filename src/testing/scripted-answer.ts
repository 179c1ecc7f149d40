import { Observable, from } from 'rxjs';
import { ChatModelError } from '../chat/chat-model-error.ts';
import type { ChatModelEvent } from '../chat/chat-model.ts';
import type { ChatRequest } from '../chat/chat-request.ts';
import type { ChatResponse } from '../chat/chat-response.ts';
import type { ToolExecutionRequest } from '../chat/message.ts';
import { marbleSource, type Emission } from './marbles.ts';

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

/** An answer that comes at once. */
export function said(items: readonly ScriptedItem[]): Observable<ChatModelEvent> {
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
export function played(
  { marbles, response = {}, error = cut() }: ScriptedRound,
  calls: Readonly<Record<string, Partial<ToolExecutionRequest>>>,
  events: Readonly<Record<string, ChatModelEvent>>,
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

function eventOf(symbol: string, index: number, calls: Readonly<Record<string, Partial<ToolExecutionRequest>>>): ChatModelEvent {
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
