import { VirtualTimeScheduler, type Observable } from 'rxjs';
import type { ChatModelEvent } from '../../../src/chat/chat-model.ts';
import { openAiChat } from '../../../src/provider/openai/open-ai-chat.ts';
import type { ProviderOptions } from '../../../src/provider/provider-options.ts';
import { played, type Played } from '../played.ts';
import { user } from './bodies.ts';
import type { Data } from './turns.ts';

/** A body of server-sent events. */
export const sseBody = (...data: readonly Data[]) =>
  data.map((item) => `data: ${typeof item === 'string' ? item : JSON.stringify(item)}\n\n`).join('');

/** Answers with a stream of these chunks. */
export const stream =
  (...data: readonly Data[]) =>
  () =>
    new Response(sseBody(...data), { headers: { 'content-type': 'text/event-stream' } });

export const request = { messages: [user('hello')] };

const untimed = { firstByte: Infinity, idle: Infinity };

/** Asks the model once, in virtual time. */
export function asked(fetch: typeof globalThis.fetch, options: Partial<ProviderOptions> = {}): Promise<Played<ChatModelEvent>> {
  const scheduler = new VirtualTimeScheduler();
  const model = openAiChat({ modelName: 'gpt-x', fetch, scheduler, timeout: untimed, ...options });
  return played(model.chat(request), scheduler);
}

/** Gathers what a source does, in real time. */
export function gathered<T>(source: Observable<T>): { readonly values: T[]; error: unknown; isOver: boolean; leave(): void } {
  const result = { values: [] as T[], error: undefined as unknown, isOver: false, leave: () => running.unsubscribe() };
  const running = source.subscribe({
    next: (value) => result.values.push(value),
    error: (error: unknown) => Object.assign(result, { error, isOver: true }),
    complete: () => Object.assign(result, { isOver: true }),
  });
  return result;
}
