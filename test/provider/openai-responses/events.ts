import { Subject } from 'rxjs';
import type { ChatModelError } from '../../../src/chat/chat-model-error.ts';
import type { ChatModelEvent } from '../../../src/chat/chat-model.ts';
import type { ChatResponse } from '../../../src/chat/chat-response.ts';
import { responsesWire } from '../../../src/provider/openai/responses-wire.ts';
import { wireEvents, type WireEvent } from '../../../src/provider/wire-events.ts';

export interface Read {
  readonly events: readonly ChatModelEvent[];
  readonly response: ChatResponse | undefined;
  readonly error: ChatModelError | undefined;
}

/** What a stream of these events comes to. */
export function readOf(...wire: readonly object[]): Read {
  return readOfNamed(...wire.map((item) => ({ data: JSON.stringify(item) })));
}

/** The same where it matters what the framing tells: the name of an event, and data that is no object. */
export function readOfNamed(...wire: readonly WireEvent[]): Read {
  let made = 0;
  const options = { idGenerator: () => `made-${++made}`, redact: (text: string) => text, onDone: () => undefined };
  const source = new Subject<WireEvent>();
  const events: ChatModelEvent[] = [];
  let error: ChatModelError | undefined;
  source.pipe(wireEvents(responsesWire(false), options)).subscribe({
    next: (event) => events.push(event),
    error: (failure: unknown) => {
      error = failure as ChatModelError;
    },
  });
  for (const event of wire) source.next(event);
  source.complete();
  const last = events.at(-1);
  return { events, error, response: last?.type === 'completeResponse' ? last.response : undefined };
}

export const created = {
  type: 'response.created',
  response: { id: 'resp_1', model: 'gpt-x', status: 'in_progress', output: [] },
};
export const added = (output_index: number, item: object) => ({ type: 'response.output_item.added', output_index, item });
export const done = (output_index: number, item: object) => ({ type: 'response.output_item.done', output_index, item });
export const text = (output_index: number, delta: string, content_index = 0) => ({
  type: 'response.output_text.delta',
  output_index,
  content_index,
  delta,
});
export const written = (output_index: number, delta: string) => ({
  type: 'response.function_call_arguments.delta',
  output_index,
  delta,
});
export const completed = (response: object = {}) => ({
  type: 'response.completed',
  response: { id: 'resp_1', model: 'gpt-x', status: 'completed', ...response },
});
export const incomplete = (reason?: string, response: object = {}) => ({
  type: 'response.incomplete',
  response: { status: 'incomplete', incomplete_details: reason === undefined ? null : { reason }, ...response },
});

export const message = (id: string, text: string, rest: object = {}) => ({
  id,
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: text ? [{ type: 'output_text', text, annotations: [] }] : [],
  ...rest,
});
export const call = (id: string, call_id: string, name: string, written: string, rest: object = {}) => ({
  id,
  type: 'function_call',
  call_id,
  name,
  arguments: written,
  status: 'completed',
  ...rest,
});
export const reasoning = (id: string, encrypted_content: string | null, rest: object = {}) => ({
  id,
  type: 'reasoning',
  summary: [],
  encrypted_content,
  ...rest,
});

/** What is said, thought and called, in the order of the events. */
export function toldIn({ events }: Read): readonly unknown[] {
  return events.flatMap<unknown>((event) => {
    switch (event.type) {
      case 'partialResponse':
        return [event.text];
      case 'partialThinking':
        return [{ thinking: event.text }];
      case 'partialToolCall':
        return [{ call: event.index, piece: event.partialArguments }];
      case 'completeToolCall':
        return [{ complete: event.request }];
      case 'raw':
        return [{ raw: (event.event as { type: string }).type }];
      default:
        return [];
    }
  });
}
