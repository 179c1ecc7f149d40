import { Subject } from 'rxjs';
import type { ChatModelError } from '../../../src/chat/chat-model-error.ts';
import type { ChatModelEvent } from '../../../src/chat/chat-model.ts';
import type { ChatResponse } from '../../../src/chat/chat-response.ts';
import { anthropicWire } from '../../../src/provider/anthropic/anthropic-wire.ts';
import { wireEvents, type WireEvent } from '../../../src/provider/wire-events.ts';

export interface Turn {
  readonly events: readonly ChatModelEvent[];
  readonly response: ChatResponse | undefined;
  readonly error: ChatModelError;
}

/** Reads a stream of these events. */
export function turnOf(...events: readonly object[]): Turn {
  let made = 0;
  const options = { idGenerator: () => `made-${++made}`, redact: (text: string) => text, onDone: () => undefined };
  const wire = new Subject<WireEvent>();
  const seen: ChatModelEvent[] = [];
  let failure: unknown;
  wire.pipe(wireEvents(anthropicWire({}), options)).subscribe({
    next: (event) => seen.push(event),
    error: (error: unknown) => {
      failure = error;
    },
  });
  for (const event of events) wire.next({ data: JSON.stringify(event) });
  wire.complete();
  const last = seen.at(-1);
  return {
    events: seen,
    error: failure as ChatModelError,
    response: last?.type === 'completeResponse' ? last.response : undefined,
  };
}

/** What the model says in a turn that begins and ends as turns do. */
export const said = (reason: string, ...blocks: readonly (readonly object[])[]) => [
  start(),
  ...blocks.flat(),
  finish(reason),
  stop,
];

export const start = (usage: object = { input_tokens: 10, output_tokens: 1 }) => ({
  type: 'message_start',
  message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-x', content: [], stop_reason: null, usage },
});
export const finish = (stop_reason: string | null, usage: object = { output_tokens: 20 }) => ({
  type: 'message_delta',
  delta: { stop_reason, stop_sequence: null },
  usage,
});
export const stop = { type: 'message_stop' };

/** A block with its deltas. */
export const block = (index: number, content_block: object, ...deltas: readonly object[]): readonly object[] => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
];
export const textDelta = (text: string) => ({ type: 'text_delta', text });
export const inputDelta = (partial_json: string) => ({ type: 'input_json_delta', partial_json });

export const text = (index: number, ...pieces: readonly string[]) =>
  block(index, { type: 'text', text: '' }, ...pieces.map(textDelta));
export const thinking = (index: number, thought: string, signature: string) =>
  block(
    index,
    { type: 'thinking', thinking: '', signature: '' },
    ...(thought ? [{ type: 'thinking_delta', thinking: thought }] : []),
    ...(signature ? [{ type: 'signature_delta', signature }] : []),
  );
export const call = (index: number, id: string, name: string, ...pieces: readonly string[]) =>
  block(index, { type: 'tool_use', id, name, input: {} }, ...pieces.map(inputDelta));

/** Answers with a stream of these events. */
export const stream =
  (...events: readonly object[]) =>
  () =>
    new Response(events.map((event) => `event: x\ndata: ${JSON.stringify(event)}\n\n`).join(''), {
      headers: { 'content-type': 'text/event-stream' },
    });
