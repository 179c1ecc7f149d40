import { lastValueFrom, toArray, catchError, EMPTY } from 'rxjs';
import { expect } from 'vitest';
import { ChatModelError } from '../../src/chat/chat-model-error.ts';
import type { ChatModelEvent } from '../../src/chat/chat-model.ts';
import type { ToolExecutionRequest } from '../../src/chat/message.ts';
import type { Expectation } from './wire-case.ts';
import { wireModels, type WireProvider } from './wire-models.ts';

/** What a stream came to. */
export interface Outcome {
  readonly events: readonly ChatModelEvent[];
  readonly error: unknown;
}

/** Asks the model once, without retries, and gathers all that it emits. */
export async function outcomeOf(fetch: typeof globalThis.fetch, provider: WireProvider = 'openai-chat'): Promise<Outcome> {
  let made = 0;
  const model = wireModels[provider]({
    modelName: 'm',
    apiKey: 'sk-secret-key',
    fetch,
    maxRetries: 0,
    idGenerator: () => `made-up-${++made}`,
  });
  let error: unknown;
  const withoutError$ = model.chat({ messages: [{ role: 'user', contents: [{ type: 'text', text: 'x' }] }] }).pipe(
    catchError((thrown: unknown) => {
      error = thrown;
      return EMPTY;
    }),
  );
  return { events: await lastValueFrom(withoutError$.pipe(toArray()), { defaultValue: [] }), error };
}

/** All of an outcome in one text: however a body is cut, this must stay the same. */
export function told({ events, error }: Outcome): string {
  return JSON.stringify(events) + String(error);
}

/** Checks an outcome against what the case expects; `fact` is what the message of its error must say. */
export function checkOutcome({ events, error }: Outcome, expected: Expectation, fact?: RegExp): void {
  const responses = events.filter((event) => event.type === 'completeResponse').map(({ response }) => response);
  expect(joinedText(events, 'partialResponse')).toBe(expected.text);
  expect(joinedText(events, 'partialThinking')).toBe(expected.thinking ?? '');
  if (expected.finishReason === 'error') {
    expect(error).toBeInstanceOf(ChatModelError);
    if (!fact) throw new Error(`What must this error say? ${(error as Error).message}`);
    expect((error as Error).message).toMatch(fact);
    expect(responses).toEqual([]);
    expect(completedCalls(events)).toEqual([]);
    return;
  }
  expect(error).toBeUndefined();
  expect(responses).toHaveLength(1);
  expect(events.at(-1)?.type).toBe('completeResponse');
  const { aiMessage, finishReason, tokenUsage } = responses[0]!;
  const calls = aiMessage.toolExecutionRequests;
  expect(aiMessage.text ?? '').toBe(expected.text);
  expect(aiMessage.thinking ?? '').toBe(expected.thinking ?? '');
  // Where the wire has no finish word, the calls decide.
  expect(finishReason).toBe(ourWord(expected.finishReason) ?? (calls.length > 0 ? 'toolExecution' : undefined));
  if (expected.usage) expect(tokenUsage).toMatchObject(expected.usage);
  // Not every case tells what the wire counts; a count that is made up would be 0.
  else expect(Object.values(tokenUsage ?? {})).not.toContain(0);
  expect(calls.map(({ name, arguments: text }) => ({ name, arguments: argumentsOf(text) }))).toEqual(
    expected.toolCalls.map(({ name, arguments: wanted }) => ({ name, arguments: wanted })),
  );
  checkIds(calls, expected);
  checkCallEvents(events, calls, finishReason === 'length');
}

function joinedText(events: readonly ChatModelEvent[], type: 'partialResponse' | 'partialThinking'): string {
  return events.map((event) => (event.type === type ? event.text : '')).join('');
}

function completedCalls(events: readonly ChatModelEvent[]): readonly ToolExecutionRequest[] {
  return events.flatMap((event) => (event.type === 'completeToolCall' ? [event.request] : []));
}

function ourWord(word: string | undefined): string | undefined {
  return { tool_calls: 'toolExecution', content_filter: 'contentFilter' }[word ?? ''] ?? word;
}

/** The dangerous key is taken out where a tool gets its arguments, not on the wire. */
function argumentsOf(text: string): unknown {
  if (!text) return {};
  try {
    return JSON.parse(text, (key, value: unknown) => (key === '__proto__' ? undefined : value));
  } catch {
    return text;
  }
}

function checkIds(calls: readonly ToolExecutionRequest[], { toolCalls }: Expectation): void {
  const ids = calls.map(({ id }) => id);
  expect(ids.every(Boolean)).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  toolCalls.forEach(({ id }, index) => id === null || expect(ids[index]).toBe(id));
}

/** What was told while it streamed must be what the response holds. */
function checkCallEvents(events: readonly ChatModelEvent[], calls: readonly ToolExecutionRequest[], isCut: boolean): void {
  const pieces = calls.map(() => '');
  for (const event of events) {
    if (event.type !== 'partialToolCall') continue;
    expect({ id: event.id, name: event.name }).toEqual({ id: calls[event.index]!.id, name: calls[event.index]!.name });
    pieces[event.index] += event.partialArguments;
  }
  expect(pieces).toEqual(calls.map(({ arguments: text }) => text));
  // The last call of a turn that was cut is never handed over as complete; all others are, once, and as the response has them.
  const whole = isCut ? calls.slice(0, -1) : calls;
  expect([...completedCalls(events)].sort(byId)).toEqual([...whole].sort(byId));
}

function byId(a: ToolExecutionRequest, b: ToolExecutionRequest): number {
  return a.id.localeCompare(b.id);
}
