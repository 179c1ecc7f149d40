import { EMPTY, catchError, lastValueFrom, toArray } from 'rxjs';
import type { ChatModelEvent } from '../../src/chat/chat-model.ts';
import type { ChatRequest } from '../../src/chat/chat-request.ts';
import type { ProviderOptions } from '../../src/provider/provider-options.ts';
import { fetchOf } from '../wire/wire-case.ts';
import { wireModels, type WireProvider } from '../wire/wire-models.ts';

/** A call as a hostile server tells it: everything may be anything. */
interface ToldCall {
  readonly index?: unknown;
  readonly id?: unknown;
  readonly name?: unknown;
  /** JSON text, in as many pieces as it has; the wires that take objects get what it holds. */
  readonly pieces?: readonly string[];
}

/** What a server of one wire may send. */
export interface HostileWire {
  readonly provider: WireProvider;
  /** Where the request goes that has no base URL of its own. */
  readonly keyHeader: string;
  text(piece: string): readonly unknown[];
  call(call: ToldCall, place: number): readonly unknown[];
  end(): readonly unknown[];
  failure(words: object): readonly unknown[];
}

const parsed = (pieces: readonly string[] = ['{}']): unknown => {
  try {
    return JSON.parse(pieces.join(''));
  } catch {
    return pieces.join('');
  }
};
const delta = (told: object, finish: string | null = null) => ({ choices: [{ index: 0, delta: told, finish_reason: finish }] });

export const hostileWires: readonly HostileWire[] = [
  {
    provider: 'openai-chat',
    keyHeader: 'authorization',
    text: (content) => [delta({ content })],
    call: ({ index, id, name, pieces = ['{}'] }, place) => [
      delta({ tool_calls: [{ index: index ?? place, id, function: { name, arguments: '' } }] }),
      ...pieces.map((piece) => delta({ tool_calls: [{ index: index ?? place, function: { arguments: piece } }] })),
    ],
    end: () => [delta({}, 'tool_calls'), '[DONE]'],
    failure: (words) => [{ error: words }],
  },
  {
    provider: 'openai-responses',
    keyHeader: 'authorization',
    text: (text) => [
      { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'm', content: [] } },
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, item_id: 'm', delta: text },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { type: 'message', id: 'm', content: [{ type: 'output_text', text }] },
      },
    ],
    call: ({ index, id, name, pieces = ['{}'] }, place) => {
      const output_index = index ?? place;
      const item = { type: 'function_call', id: `item-${place}`, call_id: id, name, arguments: '' };
      return [
        { type: 'response.output_item.added', output_index, item },
        ...pieces.map((piece) => ({
          type: 'response.function_call_arguments.delta',
          output_index,
          item_id: item.id,
          delta: piece,
        })),
        { type: 'response.output_item.done', output_index, item: { ...item, arguments: pieces.join('') } },
      ];
    },
    end: () => [{ type: 'response.completed', response: { id: 'r', status: 'completed' } }],
    failure: (words) => [{ type: 'response.failed', response: { status: 'failed', error: words } }],
  },
  {
    provider: 'anthropic',
    keyHeader: 'x-api-key',
    text: (text) => [
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      { type: 'content_block_stop', index: 0 },
    ],
    call: ({ index, id, name, pieces = ['{}'] }, place) => [
      { type: 'content_block_start', index: index ?? place, content_block: { type: 'tool_use', id, name, input: {} } },
      ...pieces.map((piece) => ({
        type: 'content_block_delta',
        index: index ?? place,
        delta: { type: 'input_json_delta', partial_json: piece },
      })),
      { type: 'content_block_stop', index: index ?? place },
    ],
    end: () => [{ type: 'message_delta', delta: { stop_reason: 'tool_use' } }, { type: 'message_stop' }],
    failure: (words) => [{ type: 'error', error: words }],
  },
  {
    provider: 'gemini',
    keyHeader: 'x-goog-api-key',
    text: (text) => [{ candidates: [{ content: { parts: [{ text }] } }] }],
    call: ({ id, name, pieces }) => [
      { candidates: [{ content: { parts: [{ functionCall: { id, name, args: parsed(pieces) } }] } }] },
    ],
    end: () => [{ candidates: [{ finishReason: 'STOP', content: { parts: [] } }] }],
    failure: (words) => [{ error: words }],
  },
  {
    provider: 'ollama',
    keyHeader: 'authorization',
    text: (content) => [{ message: { role: 'assistant', content }, done: false }],
    call: ({ id, name, pieces }) => [
      { message: { role: 'assistant', tool_calls: [{ id, function: { name, arguments: parsed(pieces) } }] }, done: false },
    ],
    end: () => [{ done: true, done_reason: 'stop' }],
    failure: (words) => [{ error: words }],
  },
];

/** An event as the wire frames it. */
export function framed(wire: HostileWire, event: unknown): string {
  const text = typeof event === 'string' ? event : JSON.stringify(event);
  return wire.provider === 'ollama' ? `${text}\n` : `data: ${text}\n\n`;
}

/** A server that answers every request with these events, or with raw text where they are none. */
export function answering(wire: HostileWire, events: Iterable<unknown>): typeof fetch {
  const encoder = new TextEncoder();
  const chunks: Uint8Array[] = [];
  let text = '';
  for (const event of events) {
    text += framed(wire, event);
    if (text.length < 65_536) continue;
    chunks.push(encoder.encode(text));
    text = '';
  }
  chunks.push(encoder.encode(text));
  const type = wire.provider === 'ollama' ? 'application/x-ndjson' : 'text/event-stream';
  return fetchOf(chunks, { status: 200, headers: { 'content-type': type }, endsBy: 'close' });
}

/** The wire's model; without retries, and with ids that can be told. */
export function modelOf({ provider }: HostileWire, options: Partial<ProviderOptions>) {
  let made = 0;
  return wireModels[provider]({ modelName: 'm', maxRetries: 0, idGenerator: () => `made-up-${++made}`, ...options });
}

export interface Came {
  readonly events: readonly ChatModelEvent[];
  readonly error: Error | undefined;
}

/** All that comes of one request. */
export async function came(
  wire: HostileWire,
  fetch: typeof globalThis.fetch,
  options: Partial<ProviderOptions> = {},
  request: Partial<ChatRequest> = {},
): Promise<Came> {
  let error: Error | undefined;
  const events$ = modelOf(wire, { fetch, ...options })
    .chat({ messages: [{ role: 'user', contents: [{ type: 'text', text: 'x' }] }], ...request })
    .pipe(
      catchError((thrown: unknown) => {
        error = thrown as Error;
        return EMPTY;
      }),
      toArray(),
    );
  return { events: await lastValueFrom(events$, { defaultValue: [] }), error };
}

/** The calls that were handed over, as they run. */
export const completed = ({ events }: Came) =>
  events.flatMap((event) => (event.type === 'completeToolCall' ? [event.request] : []));
