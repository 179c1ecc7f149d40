import { Subject } from 'rxjs';
import type { ChatModelError } from '../../../src/chat/chat-model-error.ts';
import type { ChatModelEvent } from '../../../src/chat/chat-model.ts';
import type { ChatResponse } from '../../../src/chat/chat-response.ts';
import { ollamaWire } from '../../../src/provider/ollama/ollama-wire.ts';
import { wireEvents, type WireEvent } from '../../../src/provider/wire-events.ts';

export interface Turn {
  readonly events: readonly ChatModelEvent[];
  readonly response: ChatResponse | undefined;
  readonly error: ChatModelError | undefined;
}

/** Reads a stream of these lines. */
export function turnOf(...lines: readonly object[]): Turn {
  return turnOfTexts(...lines.map((line) => JSON.stringify(line)));
}

/** The same where it matters how the lines are written. */
export function turnOfTexts(...lines: readonly string[]): Turn {
  let made = 0;
  const options = { idGenerator: () => `made-${++made}`, redact: (text: string) => text, onDone: () => undefined };
  const wire = new Subject<WireEvent>();
  const events: ChatModelEvent[] = [];
  let error: ChatModelError | undefined;
  wire.pipe(wireEvents(ollamaWire, options)).subscribe({
    next: (event) => events.push(event),
    error: (thrown: unknown) => {
      error = thrown as ChatModelError;
    },
  });
  for (const data of lines) wire.next({ data });
  wire.complete();
  const last = events.at(-1);
  return { events, error, response: last?.type === 'completeResponse' ? last.response : undefined };
}

/** A line with this message. */
export const line = (message: object) => ({ model: 'qwen3', created_at: '2026-01-01T00:00:00Z', message, done: false });
export const text = (content: string) => line({ role: 'assistant', content });
export const call = (name: string, args?: unknown, id?: string) => ({ ...(id && { id }), function: { name, arguments: args } });
export const calls = (...tool_calls: object[]) => line({ role: 'assistant', content: '', tool_calls });
export const done = (done_reason?: string, rest: object = {}) => ({
  ...text(''),
  done: true,
  ...(done_reason && { done_reason }),
  ...rest,
});
