import { Subscription, asyncScheduler } from 'rxjs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ChatRequest } from '../../../src/chat/chat-request.ts';
import type { AiMessage } from '../../../src/chat/message.ts';
import type { CassetteExchange, TapedEvent } from '../../../src/testing/cassette/cassette.ts';
import { parseCassette } from '../../../src/testing/cassette/parse-cassette.ts';
import type { ChatModel } from '../../../src/chat/chat-model.ts';
import { ChatModelError } from '../../../src/chat/chat-model-error.ts';
import { messageWindowMemory } from '../../../src/memory/message-window-memory.ts';
import { aiService } from '../../../src/service/ai-service.ts';
import type { AiServiceStreamingEvent } from '../../../src/service/streaming-event.ts';
import { cassetteModel, type CassetteModelOptions } from '../../../src/testing/cassette/cassette-model.ts';
import { recordCassette } from '../../../src/testing/cassette/record-cassette.ts';
import { scriptedModel } from '../../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../../src/testing/scripted-tool.ts';
import { sequentialIds } from '../../../src/testing/sequential-ids.ts';
import { watch } from '../../chat/watch.ts';
import { kept } from '../../service/support.ts';
import { ask, asked, play, recorded, throughJson } from './support.ts';

/** An invocation with two tools, and what came of it. */
function invoked(model: ChatModel) {
  const memory = messageWindowMemory({ maxMessages: 100 });
  const tools = [scriptedTool('add', '---r|'), scriptedTool('bid', '-p-s|')];
  const service = aiService({ model, tools, chatMemory: memory, systemMessage: 'Be brief.', idGenerator: sequentialIds() });
  const [played] = play<AiServiceStreamingEvent>([service.stream('Go')]);
  return { ...played!, history: kept(memory) };
}

const script = () =>
  scriptedModel(['--t-~-A--B-|', '-t-(A)-|', '---y--z|'], { calls: { A: { name: 'add' }, B: { name: 'bid' } } });

describe('a recorded invocation', () => {
  it('is replayed with the same events at the same times, and the same memory', () => {
    const model = recordCassette(script());
    const first = invoked(model);
    expect(first.end?.[1]).toBe('complete');
    expect(first.at.length).toBeGreaterThan(15);
    const replaying = cassetteModel(throughJson(model.cassette()));
    expect(invoked(replaying)).toEqual(first);
    expect(replaying.unused()).toEqual([]);
  });

  it('runs beside its recording as it would without', () => {
    expect(invoked(recordCassette(script()))).toEqual(invoked(script()));
  });

  it('is replayed with all that the model says of itself, so that the service asks alike', () => {
    const scripted = { ...scriptedModel(['-z|']), provider: 'openai', modelName: 'gpt-x', supports: { jsonSchema: true } };
    const model = recordCassette(scripted);
    asked(model, ask('Hi'));
    const { provider, modelName, supports } = cassetteModel(throughJson(model.cassette()));
    expect({ provider, modelName, supports }).toEqual({ provider: 'openai', modelName: 'gpt-x', supports: { jsonSchema: true } });
  });
});

describe('a tape', () => {
  it('never runs back, also where the clock is set back', () => {
    const times = [100, 105, 50, 107, 110];
    const scheduler = { ...asyncScheduler, now: () => times.shift()!, schedule: () => Subscription.EMPTY };
    const model = recordCassette(scriptedModel([['a', 'b']]), { scheduler });
    times.unshift(100);
    watch(model.chat(ask('Hi')));
    const { events, end } = parseCassette(throughJson(model.cassette())).exchanges[0]!;
    expect([...events.map(({ at }) => at), end.at]).toEqual([5, 5, 7, 10]);
  });

  it('keeps what a provider needs back under any key, and in its order', () => {
    const attributes = JSON.parse('{"b":1,"__proto__":{"x":[1]},"a":{"constructor":2}}') as Record<string, unknown>;
    const message: AiMessage = { role: 'assistant', text: 'Hi', toolExecutionRequests: [], attributes };
    const history: ChatRequest = { messages: [message] };
    const cassette = recorded([[history, { marbles: '|', response: { aiMessage: message } }]]);
    expect(JSON.stringify(cassette.exchanges[0]!.request.messages)).toBe(JSON.stringify([message]));
    const [last] = asked(cassetteModel(cassette), history).at;
    expect(JSON.stringify(last![1])).toContain(JSON.stringify(attributes));
  });
});

describe('the speed of a replay', () => {
  const cassette = recorded([[ask('Hi'), '--a---b--|']]);
  const frames = (options: CassetteModelOptions) => {
    const { at, end } = asked(cassetteModel(cassette, options), ask('Hi'));
    return [...at.map(([frame]) => frame), end?.[0]];
  };

  it('is that of the recording', () => {
    expect(frames({})).toEqual([2, 6, 9, 9]);
  });

  it('is a multiple of it', () => {
    expect(frames({ speed: 2 })).toEqual([1, 3, 4.5, 4.5]);
    expect(frames({ speed: 0.5 })).toEqual([4, 12, 18, 18]);
  });

  it('is none with instant: everything comes at the subscription, without a timer', () => {
    const { values, end } = watch(cassetteModel(cassette, { speed: 'instant' }).chat(ask('Hi')));
    expect(values.map(({ type }) => type)).toEqual(['partialResponse', 'partialResponse', 'completeResponse']);
    expect(end).toBe('complete');
  });
});

describe('real time', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  it('is kept by a replay, also where it is longer than a timer can be', () => {
    vi.useFakeTimers();
    const timers = vi.spyOn(globalThis, 'setInterval');
    const far = 2 ** 31 + 5;
    const [exchange] = recorded([[ask('Hi'), '-a|']]).exchanges as [CassetteExchange];
    const [first, last] = exchange.events as [TapedEvent, TapedEvent];
    const exchanges = [{ ...exchange, events: [first, { ...last, at: far }], end: { ...exchange.end, at: far } }];
    const watched = watch(cassetteModel({ ...recorded([]), exchanges }).chat(ask('Hi')));
    vi.advanceTimersByTime(1);
    expect(watched.values).toHaveLength(1);
    vi.advanceTimersByTime(far - 2);
    expect(watched.values).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(watched).toMatchObject({ values: { length: 2 }, end: 'complete' });
    expect(timers.mock.calls.every(([, ms = 0]) => ms < 2 ** 31)).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves no timer when the consumer leaves', () => {
    vi.useFakeTimers();
    const watched = watch(cassetteModel(recorded([[ask('Hi'), '-a|']])).chat(ask('Hi')));
    expect(vi.getTimerCount()).toBe(1);
    watched.subscription.unsubscribe();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a recorded error', () => {
  const replayedError = (error: unknown) => {
    const { end } = asked(cassetteModel(recorded([[ask('Hi'), { marbles: '-a-#', error }]])), ask('Hi'));
    expect(end?.slice(0, 2)).toEqual([3, 'error']);
    return end?.[2];
  };

  it('is a ChatModelError again, with all its fields and without its cause', () => {
    const details = {
      kind: 'rateLimit',
      provider: 'openai',
      status: 429,
      requestId: 'r-1',
      retryable: true,
      retryAfter: 2000,
    } as const;
    const error = replayedError(new ChatModelError('Slow down', { ...details, cause: new Error('sk-secret') }));
    expect(error).toBeInstanceOf(ChatModelError);
    expect(error).toMatchObject({ name: 'ChatModelError', message: 'Slow down', ...details });
    expect(error).not.toHaveProperty('cause');
  });

  it('has no field that the recorded one had not', () => {
    const error = replayedError(new ChatModelError('cut', { kind: 'interrupted', provider: 'x', retryable: false }));
    expect(Object.keys(error as object).sort()).toEqual(['kind', 'name', 'provider', 'retryable']);
  });

  it('is an Error of its name, or the very value that was thrown', () => {
    expect(replayedError(new TypeError('no'))).toMatchObject({ name: 'TypeError', message: 'no' });
    expect(replayedError(new Error('no'))).toEqual(new Error('no'));
    expect(replayedError('a text')).toBe('a text');
  });

  it('comes with its retry where a request was repeated', () => {
    const error = new ChatModelError('busy', { kind: 'overloaded', provider: 'x', status: 529, retryable: true });
    const retry = { type: 'retry', attempt: 1, delay: 500, error } as const;
    const model = recordCassette(scriptedModel(['-R-a|'], { events: { R: retry } }));
    asked(model, ask('Hi'));
    const [first] = asked(cassetteModel(throughJson(model.cassette())), ask('Hi')).at;
    expect(first).toEqual([1, retry]);
    expect((first![1] as typeof retry).error).toBeInstanceOf(ChatModelError);
  });

  it('is recorded also where the model throws instead of answering', () => {
    const model = recordCassette({
      provider: 'x',
      chat: () => {
        throw new TypeError('no');
      },
    });
    expect(asked(model, ask('Hi')).end?.[2]).toBeInstanceOf(TypeError);
    expect(model.cassette().exchanges[0]?.end).toEqual({ at: 0, how: 'error', error: { name: 'TypeError', message: 'no' } });
  });
});
