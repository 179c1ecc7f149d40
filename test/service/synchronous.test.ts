import { Observable, of, take, takeWhile } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ChatModel, ChatModelEvent } from '../../src/chat/chat-model.ts';
import type { ChatMessage, ToolExecutionRequest } from '../../src/chat/message.ts';
import { aiService } from '../../src/service/ai-service.ts';
import type { AiServiceStreamingEvent } from '../../src/service/streaming-event.ts';
import { tool } from '../../src/tool/tool.ts';
import { kept, neutral, outline, roomyMemory } from './support.ts';

/** A model that answers at once: in each of so many rounds it calls these tools. */
function synchronousModel(rounds: number, ...names: string[]): ChatModel & { readonly asked: () => number } {
  let asked = 0;
  return {
    provider: 'synchronous',
    asked: () => asked,
    chat: () =>
      new Observable<ChatModelEvent>((subscriber) => {
        const round = ++asked;
        const toolExecutionRequests: ToolExecutionRequest[] =
          round > rounds ? [] : names.map((name) => ({ id: `${name}${round}`, name, arguments: '{}' }));
        subscriber.next({ type: 'partialResponse', text: 't' });
        toolExecutionRequests.forEach((request, index) => subscriber.next({ type: 'completeToolCall', index, request }));
        subscriber.next({
          type: 'completeResponse',
          response: { aiMessage: { role: 'assistant', text: 't', toolExecutionRequests } },
        });
        subscriber.complete();
      }),
  };
}

function plainMemory() {
  const messages: ChatMessage[] = [];
  return {
    id: 'plain',
    messages: () => messages,
    add: (more: readonly ChatMessage[]) => void messages.push(...more),
    set: (all: readonly ChatMessage[]) => void messages.splice(0, Infinity, ...all),
    clear: () => void messages.splice(0),
  };
}

describe('a model and tools that answer at once', () => {
  it('pass 10,000 rounds without a stack overflow', { timeout: 60_000 }, () => {
    const model = synchronousModel(10_000, 'a');
    let runs = 0;
    const service = aiService({ model, tools: [tool({ name: 'a', execute: () => ++runs })], maxToolCallingRoundTrips: 10_000 });
    const answers: (string | null)[] = [];
    service
      .result('go')
      .subscribe({ next: ({ content }) => answers.push(content), error: (error: unknown) => answers.push(String(error)) });
    expect(answers).toEqual(['t']);
    expect(runs).toBe(10_000);
    expect(model.asked()).toBe(10_001);
  });

  it('pass 3,000 rounds with two tools one after the other and a chat memory', () => {
    const chatMemory = plainMemory();
    const names = ['a', 'b'] as const;
    const tools = names.map((name) => tool({ name, execute: () => of(name) }));
    const service = aiService({
      model: synchronousModel(3000, ...names),
      tools,
      chatMemory,
      toolConcurrency: 1,
      maxToolCallingRoundTrips: Infinity,
    });
    let events = 0;
    let failure: unknown;
    service.stream('go').subscribe({ next: () => events++, error: (error: unknown) => (failure = error) });
    expect(failure).toBeUndefined();
    // A round has a text, twice a call, its start, progress and end, and the marker; the answer has its text and itself.
    expect(events).toBe(3000 * 10 + 2);
    expect(chatMemory.messages()).toHaveLength(1 + 3000 * 3 + 1);
  });

  it('pass a turn of 10,000 calls, with a concurrency of one and without a limit', () => {
    for (const toolConcurrency of [1, Infinity]) {
      let runs = 0;
      const service = aiService({
        model: manyCalls(10_000),
        tools: [tool({ name: 'a', execute: () => ++runs })],
        toolConcurrency,
      });
      const answers: unknown[] = [];
      service.result('go').subscribe({
        next: ({ toolExecutions }) => answers.push(toolExecutions.length),
        error: (error: unknown) => answers.push(error),
      });
      expect(answers).toEqual([10_000]);
      expect(runs).toBe(10_000);
    }
  });
});

function manyCalls(count: number): ChatModel {
  const toolExecutionRequests = Array.from({ length: count }, (_, index) => ({
    id: `call ${index}`,
    name: 'a',
    arguments: '{}',
  }));
  return {
    provider: 'synchronous',
    chat: ({ messages }) =>
      of({
        type: 'completeResponse',
        response: {
          aiMessage: { role: 'assistant', text: 'z', toolExecutionRequests: messages.length > 1 ? [] : toolExecutionRequests },
        },
      }),
  };
}

describe('a consumer that leaves inside a synchronous emission', () => {
  const kinds = [
    ['partialResponse 1', 0],
    ['completeToolCall 1', 0],
    ['beforeToolExecution 1', 0],
    ['afterToolExecution 1', 1],
    ['intermediateResponse 1', 2],
    ['partialResponse 2', 2],
    ['finalResponse 2', 2],
  ] as const;

  it.each(kinds)('at %s stops everything at once: %i tools have run, and nothing starts afterwards', (last, ran) => {
    const runs: string[] = [];
    const tools = ['a', 'b'].map((name) => tool({ name, execute: () => runs.push(name) }));
    const model = synchronousModel(1, 'a', 'b');
    const fired: string[] = [];
    const seen: string[] = [];
    aiService({ model, tools, chatMemory: roomyMemory(), listeners: [({ type }) => fired.push(type)] })
      .stream('go')
      .pipe(leaveWhen(({ type, round }) => `${type} ${round}` === last))
      .subscribe({
        next: ({ type, round }) => seen.push(`${type} ${round}`),
        error: (error: unknown) => seen.push(String(error)),
      });
    expect(seen.at(-1)).toBe(last);
    expect(runs).toHaveLength(ran);
    expect(model.asked()).toBe(last.endsWith('2') ? 2 : 1);
    expect(fired.at(-2)).toBe(last === 'finalResponse 2' ? 'completed' : 'cancelled');
  });

  it('with take(1) at the first word keeps the memory empty', () => {
    const chatMemory = roomyMemory();
    const runs: number[] = [];
    const service = aiService({
      model: synchronousModel(1, 'a'),
      tools: [tool({ name: 'a', execute: () => runs.push(1) })],
      chatMemory,
    });
    const words: string[] = [];
    service
      .text('go')
      .pipe(take(1))
      .subscribe({ next: (word) => words.push(word), error: (error: unknown) => words.push(String(error)) });
    expect(words).toEqual(['t']);
    expect(runs).toEqual([]);
    expect(kept(chatMemory)).toEqual([]);
  });

  it("before the execution of the second tool leaves the first one's result in memory", () => {
    const chatMemory = roomyMemory();
    const tools = ['a', 'b'].map((name) => tool({ name, execute: () => name }));
    let starts = 0;
    aiService({ model: synchronousModel(1, 'a', 'b'), tools, chatMemory, idGenerator: () => 'x' })
      .stream('go')
      .pipe(leaveWhen(({ type }) => type === 'beforeToolExecution' && ++starts === 2))
      .subscribe({ error: (error: unknown) => expect(error).toBeUndefined() });
    expect(outline(kept(chatMemory))).toEqual(['user: go', 'assistant: t [a1 b1]', 'a1: a', `b1! ${neutral}`]);
  });
});

/** Leaves inside the emission of an event, once it has been passed on. */
function leaveWhen(isLast: (event: AiServiceStreamingEvent) => boolean) {
  return takeWhile<AiServiceStreamingEvent>((event) => !isLast(event), true);
}
