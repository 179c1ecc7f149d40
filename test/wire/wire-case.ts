import { readFileSync, readdirSync } from 'node:fs';
import { firstValueFrom, toArray, catchError, of, map, concat, type Observable } from 'rxjs';
import type { ChatModelEvent } from '../../src/chat/chat-model.ts';
import { openAiChat } from '../../src/provider/openai/open-ai-chat.ts';

/** A byte-exact answer of a server, and what it must come to. */
export interface WireCase {
  readonly name: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly encoding: 'utf8' | 'base64';
  readonly chunks: readonly string[];
  readonly endsBy: 'close' | 'cut';
  readonly expect: Expectation;
}

export interface Expectation {
  readonly text: string;
  readonly thinking?: string;
  readonly toolCalls: readonly { readonly id: string | null; readonly name: string; readonly arguments: unknown }[];
  readonly finishReason?: string;
  readonly error?: string;
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number };
}

/** What a stream came to, in the words of the cases. */
export interface Outcome {
  readonly text: string;
  readonly thinking: string;
  readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly arguments: unknown }[];
  readonly completed: readonly string[];
  readonly finishReason: string | undefined;
  readonly usage: { readonly inputTokens?: number; readonly outputTokens?: number } | undefined;
  readonly error: Error | undefined;
}

export function wireCases(folder: URL): readonly WireCase[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as WireCase);
}

export const bytesOf = ({ chunks, encoding }: WireCase): readonly Uint8Array[] => chunks.map((chunk) => new Uint8Array(Buffer.from(chunk, encoding)));

/** A fetch whose body hands out these chunks and then ends, or breaks. */
export function fetchOf(chunks: readonly Uint8Array[], { status = 200, headers = { 'content-type': 'text/event-stream' }, endsBy = 'close' }: Partial<Pick<WireCase, 'status' | 'headers' | 'endsBy'>> = {}): typeof fetch {
  return () => {
    let next = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = chunks[next++];
        if (chunk) controller.enqueue(chunk);
        else if (endsBy === 'close') controller.close();
        else controller.error(new TypeError('terminated'));
      },
    });
    return Promise.resolve(new Response(body, { status, headers }));
  };
}

export async function outcomeOf(fetch: typeof globalThis.fetch): Promise<Outcome> {
  const model = openAiChat({ modelName: 'm', apiKey: 'sk-secret-key', fetch, maxRetries: 0, idGenerator: counter() });
  const events$: Observable<ChatModelEvent> = model.chat({ messages: [{ role: 'user', contents: [{ type: 'text', text: 'x' }] }] });
  let error: Error | undefined;
  const events = await firstValueFrom(
    events$.pipe(
      catchError((thrown: Error) => {
        error = thrown;
        return of();
      }),
      toArray(),
    ),
  );
  const last = events.at(-1);
  const response = last?.type === 'completeResponse' ? last.response : undefined;
  return {
    text: events.map((event) => (event.type === 'partialResponse' ? event.text : '')).join(''),
    thinking: events.map((event) => (event.type === 'partialThinking' ? event.text : '')).join(''),
    toolCalls: (response?.aiMessage.toolExecutionRequests ?? []).map((call) => ({ id: call.id, name: call.name, arguments: argumentsOf(call.arguments) })),
    completed: events.flatMap((event) => (event.type === 'completeToolCall' ? [event.request.id] : [])),
    finishReason: error ? 'error' : response?.finishReason,
    usage: response?.tokenUsage && { inputTokens: response.tokenUsage.inputTokens!, outputTokens: response.tokenUsage.outputTokens! },
    error,
  };
}

function argumentsOf(text: string): unknown {
  if (!text) return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function counter(): () => string {
  let count = 0;
  return () => `made-up-${++count}`;
}

void map;
void concat;
