import { Subject } from 'rxjs';
import type { ChatModelError } from '../../../src/chat/chat-model-error.ts';
import type { ChatModelEvent } from '../../../src/chat/chat-model.ts';
import type { ChatResponse } from '../../../src/chat/chat-response.ts';
import { chatWire } from '../../../src/provider/openai/chat-wire.ts';
import { wireEvents, type WireEvent } from '../../../src/provider/wire-events.ts';

/** What comes on the wire: the data of an event as an object, or as it is. */
export type Data = object | string;

export interface Turn {
  readonly events: readonly ChatModelEvent[];
  readonly response: ChatResponse | undefined;
  readonly error: ChatModelError;
  /** How often it was told that the turn is whole. */
  readonly dones: number;
}

/** Reads a stream of these chunks; without `[DONE]` unless it is one of them. */
export function turnOf(...data: readonly Data[]): Turn {
  let dones = 0;
  let made = 0;
  const options = {
    idGenerator: () => `made-${++made}`,
    redact: (text: string) => text.replaceAll('sk-secret', '[redacted]'),
    onDone: () => void dones++,
  };
  const wire = new Subject<WireEvent>();
  const events: ChatModelEvent[] = [];
  let failure: unknown;
  wire.pipe(wireEvents(chatWire({ speaksToOpenAi: false, strict: false, server: 'test' }), options)).subscribe({
    next: (event) => events.push(event),
    error: (error: unknown) => {
      failure = error;
    },
  });
  for (const item of data) wire.next({ data: typeof item === 'string' ? item : JSON.stringify(item) });
  wire.complete();
  const last = events.at(-1);
  return {
    events,
    error: failure as ChatModelError,
    dones,
    response: last?.type === 'completeResponse' ? last.response : undefined,
  };
}

/** A chunk with this delta. */
export const delta = (content: object, finish_reason: string | null = null) => ({
  id: 'chatcmpl-1',
  model: 'gpt-x',
  choices: [{ index: 0, delta: content, finish_reason }],
});
export const text = (content: string) => delta({ content });
export const finish = (word: string) => delta({}, word);
export const calls = (...tool_calls: object[]) => delta({ tool_calls });
export const call = (index: number, id: string, name: string, written: string) => ({
  index,
  id,
  type: 'function',
  function: { name, arguments: written },
});
