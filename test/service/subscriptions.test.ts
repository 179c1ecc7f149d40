import { concat, repeat, retry, throwError, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import type { ChatMemory } from '../../src/memory/chat-memory.ts';
import { aiService } from '../../src/service/ai-service.ts';
import type { AiServiceStreamingEvent } from '../../src/service/streaming-event.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import type { Recording } from '../../src/testing/recording.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { expectValid, kept, neutral, outline, play, roomyMemory, type Script } from './support.ts';

const again: Partial<Script> = { pipe: (source: Observable<AiServiceStreamingEvent>) => source.pipe(retry(2)) };
const idsOf = (values: readonly AiServiceStreamingEvent[]) => [
  ...new Set(values.map(({ invocation }) => invocation.invocationId)),
];

const memories = [
  ['with a chat memory', {}],
  ['without a chat memory', { chatMemory: undefined }],
] as const;

describe.each(memories)('retry(2) behind an invocation %s', (_, memory) => {
  it('[G17] goes on behind the last committed round: a finished call is not run again', () => {
    const a = scriptedTool('a', '-r|');
    const played = play({ rounds: ['-A|', '-#', '-z|'], tools: [a], ...again, ...memory });
    expect(played.marbles).toBe('-(A<a)(*a%)>a-z($|)');
    expect(a.subscriptions()).toHaveLength(1);
    expect(played.model.requests.map(({ messages }) => outline(messages))).toEqual([
      ['user: hello'],
      ['user: hello', 'assistant: [A]', 'A: r'],
      ['user: hello', 'assistant: [A]', 'A: r'],
    ]);
    expect(idsOf(played.values)).toHaveLength(1);
    expect(played.history).toEqual('chatMemory' in memory ? [] : ['user: hello', 'assistant: [A]', 'A: r', 'assistant: z']);
  });

  it('[G44] asks the first request again, and tells the user message once', () => {
    const played = play({ rounds: ['-t#', '-#', '-z|'], ...again, ...memory });
    expect(played.marbles).toBe('-t&-z($|)');
    expect(played.model.requests.map(({ messages }) => outline(messages))).toEqual([
      ['user: hello'],
      ['user: hello'],
      ['user: hello'],
    ]);
    expect(played.history).toEqual('chatMemory' in memory ? [] : ['user: hello', 'assistant: z']);
  });

  it.each([
    ['text', '-t#'],
    ['a thought', '-~#'],
  ])('tells to drop what the broken round has told, once: %s', (_, broken) => {
    const played = play({ rounds: [broken, '-#', '-z|'], tools: [], ...again, ...memory });
    const restarts = played.values.filter((event) => event.type === 'roundRestarted');
    expect(restarts.map(({ round, error }) => [round, error.name])).toEqual([[1, 'ChatModelError']]);
    expect(played.marbles.endsWith('&-z($|)')).toBe(true);
  });

  it('[G32] does not run the tools again of the round that failed: the request tells what they did', () => {
    const [a, b] = [scriptedTool('a', '-r|'), scriptedTool('b', '---#')];
    const played = play({ rounds: ['(AB)|', '-z|'], tools: [a, b], ...again, ...memory });
    expect(a.subscriptions()).toHaveLength(1);
    expect(b.subscriptions()).toHaveLength(1);
    expect(outline(played.model.requests[1]!.messages)).toEqual(['user: hello', 'assistant: [A B]', 'A: r', `B! ${neutral}`]);
    expect(played.marbles.endsWith('z($|)')).toBe(true);
  });

  it('starts once for those who look on, and tells each failure', () => {
    const played = play({ rounds: ['-#', '-#', '-z|'], ...again, ...memory });
    expect(played.firedTypes).toEqual([
      'started',
      'requestIssued',
      'error',
      'requestIssued',
      'error',
      'requestIssued',
      'responseReceived',
      'completed',
    ]);
  });

  it('gives up after the last try with the last error', () => {
    const played = play({ rounds: ['-#', '-#', { marbles: '-#', error: new Error('the third') }], ...again, ...memory });
    expect(played.marbles).toBe('---#');
    expect(played.error).toEqual(new Error('the third'));
    expect(played.history).toEqual([]);
  });

  it('[G40] sums the usage of the rounds that were answered, and invents none for those that failed', () => {
    const tokenUsage = { inputTokens: 10, outputTokens: 1 };
    const rounds = [{ marbles: 'A|', response: { tokenUsage } }, '-#', { marbles: '-z|', response: { tokenUsage } }];
    const played = play({ rounds, tools: [scriptedTool('a', 'r|')], ...again, ...memory });
    expect(played.values.at(-1)).toMatchObject({
      type: 'finalResponse',
      response: { tokenUsage: { inputTokens: 20, outputTokens: 2 } },
    });
  });
});

describe('retry() behind an invocation', () => {
  it('[G2] does not force a tool again that has been called', () => {
    const tools = [scriptedTool('a', '-r|'), scriptedTool('b', '-#')];
    const played = play({ rounds: ['(AB)|', '-z|'], tools, call: { chatRequest: { toolChoice: 'required' } }, ...again });
    expect(played.model.requests.map(({ toolChoice }) => toolChoice)).toEqual(['required', 'auto']);
  });

  it('[G2] still forces the tool when the first request had no answer', () => {
    const played = play({
      rounds: ['-#', 'A|', '-z|'],
      tools: [scriptedTool('a', 'r|')],
      call: { chatRequest: { toolChoice: 'required' } },
      ...again,
    });
    expect(played.model.requests.map(({ toolChoice }) => toolChoice)).toEqual(['required', 'required', 'auto']);
  });

  it('writes an answer that could not be written, and does not ask the model again', () => {
    const chatMemory = roomyMemory();
    let tries = 0;
    const flaky: ChatMemory = {
      ...chatMemory,
      add: (messages) => (++tries === 1 ? throwError(() => new Error('locked')) : chatMemory.add(messages)),
    };
    const played = play({ rounds: ['-z|'], chatMemory: flaky, ...again });
    expect(played.marbles).toBe('-z($|)');
    expect(played.model.requests).toHaveLength(1);
    expect(played.history).toEqual(['user: hello', 'assistant: z']);
  });

  it('does not go round a failed system message: it is asked for again', () => {
    let tries = 0;
    const systemMessage = () => {
      if (++tries === 1) throw new Error('not yet');
      return 'be kind';
    };
    const played = play({ rounds: ['-z|'], systemMessage, ...again });
    expect(played.history).toEqual(['system: be kind', 'user: hello', 'assistant: z']);
  });
});

describe('a second subscription', () => {
  const service = (rounds: readonly string[], chatMemory = roomyMemory()) => {
    let count = 0;
    const model = scriptedModel(rounds);
    return { model, chatMemory, ai: aiService({ model, chatMemory, idGenerator: () => `id ${++count}` }) };
  };
  const twice = (rounds: readonly string[], one: string, other: string, options = {}) => {
    const { model, chatMemory, ai } = service(rounds);
    const used = 'none' in options ? aiService({ model }) : ai;
    const recordings: Recording<AiServiceStreamingEvent>[] = [];
    runMarbles(({ expectEvents }) => {
      const stream = used.stream('hello');
      recordings.push(expectEvents(stream, one), expectEvents(stream, other));
    });
    const [first, second] = recordings as [Recording<AiServiceStreamingEvent>, Recording<AiServiceStreamingEvent>];
    return { model, chatMemory, first, second };
  };

  it('[S16] while the first is alive is an error that says what to do, and the first goes on', () => {
    const { first, second, chatMemory } = twice(['-t-t|'], '^', '--^');
    expect(first.drawing()).toBe('-t-t($|)');
    expect(second.drawing()).toBe('--#');
    expect(second.error).toBeInstanceOf(ConfigurationError);
    expect((second.error as Error).message).toMatch(/running already.*call the service again.*start\(\) or share\(\)/i);
    expect(outline(kept(chatMemory))).toEqual(['user: hello', 'assistant: tt']);
  });

  it('after the first has completed is an error that says what to do', () => {
    const { second, model, chatMemory } = twice(['-t|'], '^', '-----^');
    expect(second.drawing()).toBe('-----#');
    expect((second.error as Error).message).toMatch(/has completed.*call the service again.*start\(\) or share\(\)/i);
    expect(model.requests).toHaveLength(1);
    expect(outline(kept(chatMemory))).toEqual(['user: hello', 'assistant: t']);
  });

  it('that was refused does not open the way for a third', () => {
    const { model, ai } = service(['-t-t-t|']);
    runMarbles(({ expectEvents }) => {
      const stream = ai.stream('hello');
      expectEvents(stream).toBe('-t-t-t($|)');
      expectEvents(stream, '--^').toBe('--#');
      expectEvents(stream, '---^').toBe('---#');
    });
    expect(model.requests).toHaveLength(1);
  });

  it('of a repeat() is an error, too', () => {
    const played = play({ rounds: ['-t|', '-t|'], pipe: (source) => source.pipe(repeat(2)) });
    expect(played.marbles).toBe('-t($#)');
    expect(played.error).toBeInstanceOf(ConfigurationError);
  });

  it('[S17] without a chat memory is an invocation of its own', () => {
    const { first, second, model } = twice(['-t-t|', '-u|'], '^', '--^', { none: true });
    expect([first.drawing(), second.drawing()]).toEqual(['-t-t($|)', '---u($|)']);
    expect(idsOf(first.values)).not.toEqual(idsOf(second.values));
    expect(model.requests).toHaveLength(2);
  });

  it('after an unsubscribe is a new invocation', () => {
    const { first, second, chatMemory } = twice(['-t-t|', '-u|'], '^-!', '----^');
    expect([first.drawing(), second.drawing()]).toEqual(['-t', '-----u($|)']);
    expect(idsOf(second.values)).not.toEqual(idsOf(first.values));
    expect(outline(kept(chatMemory))).toEqual(['user: hello', 'assistant: u']);
  });

  it('after an unsubscribe in a later round says the user message again behind what was done', () => {
    const chatMemory = roomyMemory();
    const model = scriptedModel(['A|', '-t-t|', '-u|']);
    runMarbles(({ expectEvents }) => {
      const stream = aiService({ model, chatMemory, tools: [scriptedTool('a', 'r|')] }).stream('hello');
      expectEvents(stream, '^----!');
      expectEvents(stream, '------^').toBe('-------u($|)');
    });
    expect(outline(kept(chatMemory))).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'user: hello', 'assistant: u']);
    expectValid(kept(chatMemory), 2);
  });
});

describe('a stream', () => {
  it('[S17] that nobody subscribes to does nothing', () => {
    const model = scriptedModel([]);
    const fired: string[] = [];
    const service = aiService({ model, listeners: [({ type }) => fired.push(type)] });
    void service.stream('hello');
    void service.text('hello');
    void service.result('hello');
    expect(model.requests).toEqual([]);
    expect(fired).toEqual([]);
  });

  it('[S17] starts once for each subscription', () => {
    const fired: string[] = [];
    runMarbles(({ expectEvents }) => {
      const service = aiService({ model: scriptedModel(['-t|', '-t|']), listeners: [({ type }) => fired.push(type)] });
      const stream = service.stream('hello');
      expectEvents(concat(stream, stream)).toBe('-t$t($|)');
    });
    expect(fired.filter((type) => type === 'started')).toHaveLength(2);
  });
});
