import { EMPTY, Observable, map, of, throwError, timer } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import type { ChatRequest, ToolChoice } from '../../src/chat/chat-request.ts';
import type { ChatMessage } from '../../src/chat/message.ts';
import type { Value } from '../../src/chat/value.ts';
import { AiServiceRequestIssuedEvent, AiServiceResponseReceivedEvent } from '../../src/event/model-events.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { ended } from './started.ts';
import { outline, play, type Script } from './support.ts';

const rounds = ['-A|', '-z|'];

const a = () => scriptedTool('a', 'r|');

const warmer = (request: ChatRequest): ChatRequest => ({ ...request, temperature: 1 });

describe('chatRequestTransformer', () => {
  it('[S91] sees every request, those after tools included, as it would go to the model', () => {
    const seen: ChatRequest[] = [];
    const tools = [a()];
    const played = play({
      rounds: ['A|', 'A|', '-z|'],
      tools,
      systemMessage: 'be brief',
      call: { chatRequest: { temperature: 0.5 } },
      chatRequestTransformer: (request) => (seen.push(request), request),
    });
    expect(seen.map(({ messages }) => outline(messages).at(-1))).toEqual(['user: hello', 'A: r', expect.stringMatching(/: r$/)]);
    expect(seen.map(({ messages }) => messages.length)).toEqual([2, 4, 6]);
    for (const request of seen)
      expect(request).toMatchObject({ temperature: 0.5, toolSpecifications: [tools[0]!.specification] });
    expect(played.model.requests).toEqual(seen);
  });

  it('[S91] changes every request, those after tools included', () => {
    const played = play({ rounds, tools: [a()], chatRequestTransformer: warmer });
    expect(played.model.requests.map(({ temperature }) => temperature)).toEqual([1, 1]);
    expect(played.marbles).toBe('-(A<a*a)(>a%)z($|)');
  });

  it('is given the context of the invocation', () => {
    const contexts: unknown[] = [];
    const played = play({
      rounds,
      tools: [a()],
      chatRequestTransformer: (request, context) => (contexts.push(context), request),
      call: { parameters: { user: 7 } },
    });
    expect(contexts).toEqual([played.values[0]!.invocation, played.values[0]!.invocation]);
    expect(played.values[0]!.invocation.parameters.get('user')).toBe(7);
  });

  it('may return an Observable: its first value is the request, and the model is asked when it is there', () => {
    const played = play({
      rounds,
      tools: [a()],
      chatRequestTransformer: (request) => timer(3, 1).pipe(map(() => warmer(request))),
    });
    expect(played.model.subscriptions()).toEqual(['---^-!', '--------^-!']);
    expect(played.model.requests.map(({ temperature }) => temperature)).toEqual([1, 1]);
    expect(played.history.at(-1)).toBe('assistant: z');
  });

  it('may return a promise', async () => {
    const model = scriptedModel(['A|', 'z|']);
    const service = aiService({ model, tools: [a()], chatRequestTransformer: (request) => Promise.resolve(warmer(request)) });
    expect((await ended(service.result('hello')))!.content).toBe('z');
    expect(model.requests.map(({ temperature }) => temperature)).toEqual([1, 1]);
  });

  it('is left when the invocation is given up, and no request goes out', () => {
    const log: string[] = [];
    const played = play({
      rounds,
      chatRequestTransformer: () => new Observable<ChatRequest>(() => () => log.push('left')),
      subscription: '^---!',
    });
    expect(log).toEqual(['left']);
    expect(played.model.requests).toEqual([]);
    expect(played.firedTypes).toEqual(['started', 'cancelled']);
  });

  it('has its request told to those who look on', () => {
    const played = play({ rounds, tools: [a()], chatRequestTransformer: warmer });
    const told = played.fired.flatMap((event) =>
      event instanceof AiServiceRequestIssuedEvent || event instanceof AiServiceResponseReceivedEvent ? [event.request] : [],
    );
    expect(told).toEqual([
      played.model.requests[0],
      played.model.requests[0],
      played.model.requests[1],
      played.model.requests[1],
    ]);
    expect(told[0]!.temperature).toBe(1);
  });

  it('works in a token stream as well', () => {
    const played = play({ rounds, tools: [a()], chatRequestTransformer: warmer, legacy: true });
    expect(played.model.requests.map(({ temperature }) => temperature)).toEqual([1, 1]);
  });

  it('stands before the interceptors of the model', () => {
    const seen: unknown[] = [];
    play({
      rounds: ['-z|'],
      chatRequestTransformer: warmer,
      interceptors: { model: [(request, _, next) => (seen.push(request.temperature), next(request))] },
    });
    expect(seen).toEqual([1]);
  });

  it('changes what the model of this invocation is asked', () => {
    const other = scriptedModel(['-y|']);
    const played = play({ rounds: [], call: { model: other }, chatRequestTransformer: warmer });
    expect(played.marbles).toBe('-y($|)');
    expect(other.requests).toMatchObject([{ temperature: 1 }]);
  });

  it('changes the messages of a request, and neither those of the next one nor the memory', () => {
    const note: ChatMessage = { role: 'user', contents: [{ type: 'text', text: 'be quick' }] };
    const played = play({
      rounds,
      tools: [a()],
      chatRequestTransformer: (request) => ({ ...request, messages: [...request.messages, note] }),
    });
    expect(played.model.requests.map(({ messages }) => outline(messages))).toEqual([
      ['user: hello', 'user: be quick'],
      ['user: hello', 'assistant: [A]', 'A: r', 'user: be quick'],
    ]);
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'assistant: z']);
  });

  it('sees the tools that dynamic providers offer for this request, and may hide some', () => {
    const seen: (readonly string[])[] = [];
    const played = play({
      rounds,
      tools: [a()],
      toolProviders: [{ isDynamic: true, provideTools: () => [scriptedTool('b', 's|')] }],
      chatRequestTransformer: ({ toolSpecifications = [], ...request }) => {
        seen.push(toolSpecifications.map(({ name }) => name));
        return { ...request, toolSpecifications: toolSpecifications.filter(({ name }) => name === 'a') };
      },
    });
    expect(seen).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
    expect(played.model.requests.map(({ toolSpecifications }) => toolSpecifications?.length)).toEqual([1, 1]);
  });

  it('is asked again for a round that is asked for again', () => {
    const transform = vi.fn(warmer);
    const played = play({ rounds: ['-#', '-z|'], roundRetries: 1, chatRequestTransformer: transform });
    expect(played.history.at(-1)).toBe('assistant: z');
    expect(transform).toHaveBeenCalledTimes(2);
  });

  describe('has the last word over toolChoice', () => {
    /** Chooses in each round as told. */
    const choosing =
      (...choices: (ToolChoice | undefined)[]) =>
      (request: ChatRequest): ChatRequest => {
        const toolChoice = choices.shift();
        return { ...request, ...(toolChoice && { toolChoice }) };
      };
    const choicesOf = (options: Partial<Script>) =>
      play({ rounds: ['A|', 'A|', '-z|'], tools: [a()], ...options }).model.requests.map(({ toolChoice }) => toolChoice);

    it('[G2] step by step', () => {
      const chatRequestTransformer = choosing('required', { name: 'a' }, 'none');
      expect(choicesOf({ chatRequestTransformer })).toEqual(['required', { name: 'a' }, 'none']);
    });

    it('[G2] also where the caller forces one, which it sees in the first request alone', () => {
      const seen: unknown[] = [];
      const chatRequestTransformer = (request: ChatRequest) => (
        seen.push(request.toolChoice),
        { ...request, toolChoice: 'auto' as const }
      );
      expect(choicesOf({ chatRequestTransformer, call: { chatRequest: { toolChoice: 'required' } } })).toEqual([
        'auto',
        'auto',
        'auto',
      ]);
      expect(seen).toEqual(['required', 'auto', 'auto']);
    });

    it('of a limit: but what the model calls then is not run', () => {
      const tool = a();
      const seen: unknown[] = [];
      const played = play({
        rounds: ['A|', 'Az|'],
        tools: [tool],
        limits: { then: 'answer' },
        maxToolCallingRoundTrips: 1,
        chatRequestTransformer: (request) => (seen.push(request.toolChoice), { ...request, toolChoice: 'required' }),
      });
      expect(seen).toEqual([undefined, 'none']);
      expect(played.model.requests.map(({ toolChoice }) => toolChoice)).toEqual(['required', 'required']);
      expect(tool.contexts).toHaveLength(1);
      expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'assistant: z']);
    });
  });

  describe('that fails', () => {
    const broken = new Error('no quota left');

    it.each<[string, () => Value<ChatRequest>]>([
      [
        'throws',
        () => {
          throw broken;
        },
      ],
      ['errors', () => throwError(() => broken)],
    ])(
      'because it %s fails the invocation with its error; no request goes out, and nothing is written',
      (_, chatRequestTransformer) => {
        const handler = vi.fn(() => 'handled');
        const played = play({
          rounds,
          chatRequestTransformer,
          toolArgumentsErrorHandler: handler,
          toolExecutionErrorHandler: handler,
        });
        expect(played.marbles).toBe('#');
        expect(played.error).toBe(broken);
        expect(handler).not.toHaveBeenCalled();
        expect(played.model.requests).toEqual([]);
        expect(played.firedTypes).toEqual(['started', 'error']);
        expect(played.history).toEqual([]);
      },
    );

    it('because it rejects fails the invocation with its error', async () => {
      const service = aiService({ model: scriptedModel(['z|']), chatRequestTransformer: () => Promise.reject(broken) });
      await expect(ended(service.text('hello'))).rejects.toBe(broken);
    });

    it('behind a tool leaves what the tool did in memory', () => {
      const played = play({
        rounds,
        tools: [a()],
        chatRequestTransformer: (request) => {
          if (request.messages.length > 1) throw broken;
          return request;
        },
      });
      expect(played.error).toBe(broken);
      expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: r']);
    });

    it.each<[string, string, unknown]>([
      ['nothing', 'undefined', undefined],
      ['null', 'null', null],
      ['a text', '"hello"', 'hello'],
      ['a request without messages', 'an object with temperature', { temperature: 1 }],
      ['messages that are none', 'an object with messages', { messages: 'hello' }],
      ['an Observable that is empty', 'undefined', EMPTY],
      ['an Observable of nothing', 'undefined', of(undefined)],
    ])('because it returns %s fails by an error that names the option and the remedy', (_, shown, returned) => {
      const played = play({ rounds, chatRequestTransformer: () => returned as never });
      expect(played.error).toBeInstanceOf(ConfigurationError);
      expect(String(played.error)).toContain(
        `aiService: what chatRequestTransformer returned is ${shown}; it must return a chat request with its messages`,
      );
      expect(played.model.requests).toEqual([]);
    });
  });
});
