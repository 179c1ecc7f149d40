import { NEVER, Observable, Subject, config, map, of, throwError, timer } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ChatModelEvent } from '../../src/chat/chat-model.ts';
import type { ChatResponse } from '../../src/chat/chat-response.ts';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import type { Content } from '../../src/chat/content.ts';
import { guardrail } from '../../src/chat/guardrail-result.ts';
import { aiService } from '../../src/service/ai-service.ts';
import type { AiServiceOptions, Input, InvocationOptions } from '../../src/service/options.ts';
import { ToolRoundTripsExceededError } from '../../src/service/service-errors.ts';
import type { AiServiceStreamingEvent } from '../../src/service/streaming-event.ts';
import { tokenStream, type TokenStream } from '../../src/service/token-stream.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import type { ScriptedRound } from '../../src/testing/scripted-answer.ts';
import { scriptedModel, type ScriptedModelOptions } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { toolArgumentsErrorHandler, toolExecutionErrorHandler } from '../../src/tool/error-handlers.ts';
import { ToolArgumentsError, UnknownToolError } from '../../src/tool/tool-errors.ts';
import { tool } from '../../src/tool/tool.ts';
import { kept, keptLogs, outline, roomyMemory } from './support.ts';

/**
 * The callbacks of a stream as an Observable, drawn like the events of `runMarbles`: `t` text, `~` a thought, `:` a piece of
 * a call, `<a` before and `>a` after a tool, `%` an intermediate response, `=` retrieved contents, `$` the answer.
 */
function heard(stream: TokenStream): Observable<string> {
  return new Observable((subscriber) => {
    const say = (symbol: string) => subscriber.next(symbol);
    const { cancel } = stream
      .onPartialResponse(say)
      .onPartialThinking(() => say('~'))
      .onPartialToolCall(() => say(':'))
      .onRetrieved(() => say('='))
      .onIntermediateResponse(() => say('%'))
      .beforeToolExecution(({ name }) => say(`<${name}`))
      .onToolExecuted(({ request: { name } }) => say(`>${name}`))
      .onCompleteResponse(() => say('$'))
      .onError((error) => subscriber.error(error))
      .start();
    return cancel;
  });
}

interface Script extends Omit<AiServiceOptions, 'model'> {
  readonly rounds: readonly (string | ScriptedRound)[];
  readonly script?: ScriptedModelOptions;
  readonly input?: Input;
  readonly call?: InvocationOptions;
  readonly meanwhile?: Readonly<Record<number, () => void>>;
}

/** Runs a token stream on virtual time and tells all that came of it. */
function played({ rounds, script, input = 'hello', call, meanwhile = {}, ...options }: Script) {
  const model = scriptedModel(rounds, script);
  const logger = keptLogs();
  const chatMemory = 'chatMemory' in options ? options.chatMemory : roomyMemory();
  const fired: string[] = [];
  const service = aiService({
    logger,
    ...options,
    ...(chatMemory && { chatMemory }),
    model,
    listeners: [({ type }) => fired.push(type)],
  });
  let recording: { drawing(): string; readonly error: unknown } | undefined;
  runMarbles(({ record, at }) => {
    recording = record(heard(service.tokenStream(input, call)));
    for (const [frame, action] of Object.entries(meanwhile)) at(Number(frame), action);
  });
  return {
    marbles: recording!.drawing(),
    error: recording!.error,
    model,
    fired,
    logs: logger.logs,
    history: outline(kept(chatMemory)),
  };
}

/** Does something with a stream on virtual time, and tells what was logged and fired. */
function trying(
  rounds: readonly (string | ScriptedRound)[],
  act: (stream: TokenStream) => void,
  options: Partial<AiServiceOptions> = {},
) {
  const logger = keptLogs();
  const fired: string[] = [];
  const model = scriptedModel(rounds);
  const service = aiService({ logger, ...options, model, listeners: [({ type }) => fired.push(type)] });
  runMarbles(({ at }) => at(0, () => act(service.tokenStream('hello'))));
  return { model, logs: logger.logs, fired };
}

/** A stream over events that need no service. */
const over = (...events: readonly AiServiceStreamingEvent[]) => tokenStream(of(...events), keptLogs());

const response: ChatResponse = {
  aiMessage: { role: 'assistant', text: 'whole', toolExecutionRequests: [] },
  finishReason: 'stop',
};
const first = { invocation: undefined as never, round: 1 };
const second = { ...first, round: 2 };
const ignore = () => undefined;

describe('a token stream', () => {
  it('[S164] calls back with the text, the tool and the answer, in order', () => {
    const { marbles, history } = played({ rounds: ['-t-A|', '-y-z|'], tools: [scriptedTool('a', '--r|')] });
    expect(marbles).toBe('-t-<a%->ay-z$');
    expect(history).toEqual(['user: hello', 'assistant: t [A]', 'A: r', 'assistant: yz']);
  });

  it('[S164] runs tools one after the other, unless the service says how many at once', () => {
    const tools = () => [scriptedTool('a', '---r|'), scriptedTool('b', '-r|'), scriptedTool('c', '-r|')];
    const rounds = ['(ABC)|', 'z|'];
    expect(played({ rounds, tools: tools() }).marbles).toBe('<a%--(>a<b)-(>b<c)-(>cz)$');
    expect(played({ rounds, tools: tools(), toolConcurrency: Infinity }).marbles).toBe('(<a<b<c)%(>b>c)-(>az)$');
  });

  it('[S168] does the same without a memory: one tool, several in turn, several at once', () => {
    const tools = () => [scriptedTool('a', 'r|'), scriptedTool('b', 'r|')];
    const without = { chatMemory: undefined as never };
    expect(played({ rounds: ['-A|', '-z|'], tools: tools(), ...without }).marbles).toBe('-<a(>a%)z$');
    expect(played({ rounds: ['-A|', '-B|', '-z|'], tools: tools(), ...without }).marbles).toBe('-<a(>a%)<b(>b%)z$');
    expect(played({ rounds: ['-(AB)|', '-z|'], tools: tools(), ...without, toolConcurrency: 2 }).marbles).toBe(
      '-(<a<b)(>a>b%)z$',
    );
  });

  it('[S165] tells what the model writes and what the tools do', () => {
    const piece: ChatModelEvent = { type: 'partialToolCall', index: 0, id: 'A', name: 'a', partialArguments: '{"n":1}' };
    const call = { id: 'A', name: 'a', arguments: '{"n":1}' };
    const usage = { inputTokens: 2, outputTokens: 1, totalTokens: 3 };
    const model = scriptedModel(
      [
        { marbles: '~t:A|', response: { tokenUsage: usage } },
        { marbles: 'z|', response: { tokenUsage: usage } },
      ],
      { calls: { A: call }, events: { ':': piece } },
    );
    const double = tool({ name: 'a', parameters: z.object({ n: z.number() }), execute: ({ n }) => 2 * n });
    const told: [string, unknown][] = [];
    const tell = (name: string) => (value: unknown) => void told.push([name, value]);
    runMarbles(({ at }) =>
      at(0, () =>
        aiService({ model, tools: [double] })
          .tokenStream('x')
          .onPartialResponse(tell('text'))
          .onPartialThinking(tell('thinking'))
          .onPartialToolCall(tell('piece'))
          .beforeToolExecution(tell('before'))
          .onToolExecuted(tell('executed'))
          .onIntermediateResponse(tell('intermediate'))
          .onCompleteResponse(tell('complete'))
          .onError(tell('error'))
          .start(),
      ),
    );
    expect(told).toEqual([
      ['thinking', '~'],
      ['text', 't'],
      ['piece', { index: 0, id: 'A', name: 'a', partialArguments: '{"n":1}' }],
      ['before', call],
      ['executed', expect.objectContaining({ request: call, arguments: { n: 1 }, result: '2', hasFailed: false })],
      ['intermediate', expect.objectContaining({ finishReason: 'toolExecution', tokenUsage: usage })],
      ['text', 'z'],
      [
        'complete',
        expect.objectContaining({
          aiMessage: expect.objectContaining({ text: 'z' }) as unknown,
          tokenUsage: { inputTokens: 4, outputTokens: 2, totalTokens: 6 },
        }),
      ],
    ]);
  });

  it('[S167] hands parameters and the memory id to tools, and their images to the model', () => {
    const image: Content = { type: 'image', data: 'AA==', mediaType: 'image/png' };
    const a = scriptedTool('a', 'r|', { values: { r: image } });
    const { model, marbles } = played({
      rounds: ['A|', 'z|'],
      tools: [a],
      chatMemory: undefined,
      call: { parameters: { tenant: 7 }, memoryId: 'm1' },
    });
    expect(marbles).toBe('<a(>a%z)$');
    expect(a.contexts[0]).toMatchObject({ memoryId: 'm1' });
    expect(a.contexts[0]!.parameters.get('tenant')).toBe(7);
    expect(model.requests[1]!.messages.at(-1)).toMatchObject({ role: 'tool', contents: [image] });
  });

  it('[S167] fails on a round too many', () => {
    const { marbles, error } = played({
      rounds: ['-A|', '-A|'],
      tools: [scriptedTool('a', 'r|')],
      maxToolCallingRoundTrips: 1,
    });
    expect(error).toBeInstanceOf(ToolRoundTripsExceededError);
    expect(marbles).toBe('-<a(>a%)#');
  });

  it('does nothing before start()', () => {
    const { model, fired } = trying(['-t|'], (stream) => stream.onPartialResponse(ignore).ignoreErrors());
    expect(model.requests).toEqual([]);
    expect(fired).toEqual([]);
  });

  it('needs no callback but one for errors', () => {
    const { fired } = trying(['-t|'], (stream) => stream.ignoreErrors().start());
    expect(fired).toContain('completed');
  });

  it('tells of a bad input like of any other failure', () => {
    const { error, fired } = played({ rounds: [], input: 7 as never });
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(fired).toEqual([]);
  });

  it('tells what retrieval found, first', () => {
    const contents: Content[] = [{ type: 'text', text: 'found' }];
    const told: unknown[] = [];
    over({ type: 'retrievedContents', contents, ...first }, { type: 'partialResponse', text: 't', ...first })
      .onPartialResponse((text) => told.push(text))
      .onRetrieved((found) => told.push(found))
      .ignoreErrors()
      .start();
    expect(told).toEqual([contents, 't']);
  });
});

describe('a token stream of a service with more to it', () => {
  const answer = (text: string) =>
    expect.objectContaining({ aiMessage: expect.objectContaining({ text }) as unknown }) as unknown;

  it('[S177] gives the text that the output guardrails have let pass, in one piece', () => {
    const outputGuardrails = [({ text }: { text: string | null }) => guardrail.rewrite(text!.toUpperCase())];
    const { marbles, history } = played({ rounds: ['-t-A|', '-yz|'], tools: [scriptedTool('a', 'r|')], outputGuardrails });
    expect(marbles).toBe('---<a(>a%)--(YZ$)');
    expect(history.at(-1)).toBe('assistant: YZ');
  });

  it('gives no text that the output guardrails refuse', () => {
    const { marbles, error } = played({ rounds: ['-t|'], outputGuardrails: [() => guardrail.fatal('No.')] });
    expect(marbles).toBe('--#');
    expect(error).toMatchObject({ name: 'OutputGuardrailError' });
  });

  it('tells what was retrieved before all else', () => {
    const found: Content[] = [{ type: 'text', text: 'It rains.' }];
    const { marbles } = played({ rounds: ['-t|'], contentRetriever: () => timer(2).pipe(map(() => found)) });
    expect(marbles).toBe('--=t$');
  });

  it('ends with the message that holds the calls when the results are the answer', () => {
    const told: unknown[] = [];
    const a = { ...scriptedTool('a', 'r|'), returnBehavior: 'immediate' as const };
    trying(
      ['-tA|'],
      (stream) =>
        stream
          .onCompleteResponse((complete) => told.push(complete))
          .ignoreErrors()
          .start(),
      {
        tools: [a],
      },
    );
    expect(told).toEqual([answer('t')]);
    expect(told[0]).toMatchObject({ aiMessage: { toolExecutionRequests: [{ id: 'A', name: 'a' }] } });
  });

  it.each([false, true])('[S167] runs the tools of a provider: dynamic %s', (isDynamic) => {
    const provider = { provideTools: () => [scriptedTool('a', 'r|')], isDynamic };
    expect(played({ rounds: ['-A|', '-z|'], toolProviders: [provider] }).marbles).toBe('-<a(>a%)z$');
  });
});

describe('the text of a token stream', () => {
  const final: AiServiceStreamingEvent = { type: 'finalResponse', response, ...second };
  const textsOf = (...events: readonly AiServiceStreamingEvent[]) => {
    const told: unknown[] = [];
    over(...events)
      .onPartialResponse((text) => told.push(text))
      .onCompleteResponse((answer) => told.push(answer))
      .ignoreErrors()
      .start();
    return told;
  };

  it('[S177] comes in one piece before the answer where it was held back, for guardrails', () => {
    expect(textsOf(final)).toEqual(['whole', response]);
  });

  it('is not told twice where it was streamed', () => {
    expect(
      textsOf({ type: 'partialResponse', text: 'who', ...second }, { type: 'partialResponse', text: 'le', ...second }, final),
    ).toEqual(['who', 'le', response]);
  });

  it('comes in one piece also behind the streamed text of an earlier round', () => {
    expect(textsOf({ type: 'partialResponse', text: 'let me see', ...first }, final)).toEqual(['let me see', 'whole', response]);
  });

  it('is not told where there is none', () => {
    const silent = { ...response, aiMessage: { ...response.aiMessage, text: null } };
    expect(textsOf({ ...final, response: silent })).toEqual([silent]);
  });
});

describe('the defaults of a token stream', () => {
  const failing = (error: unknown) => [scriptedTool('a', '-#', { error })];
  const rounds = ['-A|', '-z|'];

  it.each([1, 2])('[S108] tell the model what a tool has thrown, and log it: concurrency %i', (toolConcurrency) => {
    const error = new Error('disk full');
    const { marbles, history, logs } = played({ rounds, tools: failing(error), toolConcurrency });
    expect(marbles).toBe('-<a(>a%)z$');
    expect(history).toEqual(['user: hello', 'assistant: [A]', 'A! disk full', 'assistant: z']);
    expect(logs).toEqual([['warn', expect.stringContaining('Tool a failed'), error]]);
  });

  it('[S109] tell the model the name of an error that has no message', () => {
    expect(played({ rounds, tools: failing(new RangeError()) }).history[2]).toBe('A! RangeError');
  });

  it.each([1, 2])('[S113] fail on arguments that can not be used: concurrency %i', (toolConcurrency) => {
    const strict = tool({ name: 'a', parameters: z.object({ n: z.number() }), execute: ({ n }) => n });
    const { marbles, error, model } = played({ rounds: ['-A|'], tools: [strict], toolConcurrency });
    expect(error).toBeInstanceOf(ToolArgumentsError);
    expect(marbles).toBe('-(<a>a)(%#)');
    expect(model.requests).toHaveLength(1);
  });

  it('fail on a tool that there is not', () => {
    expect(played({ rounds: ['-A|'] }).error).toBeInstanceOf(UnknownToolError);
  });

  it.each([1, 2])('[S111][S112][S114][S166] give way to handlers: concurrency %i', (toolConcurrency) => {
    const strict = tool({ name: 'b', parameters: z.object({ n: z.number() }), execute: ({ n }) => n });
    const error = new Error('disk full');
    const tools = [...failing(error), strict];
    const told = played({
      rounds: ['-(AB)|', '-z|'],
      tools,
      toolConcurrency,
      toolArgumentsErrorHandler: toolArgumentsErrorHandler.sendExceptionMessageToLlm(),
      toolExecutionErrorHandler: (thrown) => `sorry: ${thrown.message}`,
    });
    expect(told.history.slice(2)).toEqual(['A! sorry: disk full', expect.stringMatching(/^B! .*n/s), 'assistant: z']);
    const failed = played({
      rounds: ['-A|'],
      tools: failing(error),
      toolConcurrency,
      toolExecutionErrorHandler: toolExecutionErrorHandler.failInvocation(),
    });
    expect(failed.error).toBe(error);
    expect(failed.logs).toEqual([]);
  });
});

describe('the registration of callbacks', () => {
  const names = [
    'onPartialResponse',
    'onPartialThinking',
    'onPartialToolCall',
    'onRetrieved',
    'onIntermediateResponse',
    'beforeToolExecution',
    'onToolExecuted',
    'onCompleteResponse',
    'onError',
  ] as const;

  it.each(names)('[S169] takes %s once: start() names it', (name) => {
    const stream = over()[name](ignore)[name](ignore);
    if (name !== 'onError') stream.ignoreErrors();
    expect(() => stream.start()).toThrow(new ConfigurationError(`tokenStream: ${name} was called twice; call it at most once.`));
  });

  it('[S169] takes ignoreErrors once', () => {
    expect(() => over().ignoreErrors().ignoreErrors().start()).toThrow(/ignoreErrors was called twice/);
  });

  it('[S169] takes exactly one of onError and ignoreErrors', () => {
    expect(() => over().onPartialResponse(ignore).start()).toThrow(/neither onError nor ignoreErrors/);
    expect(() => over().onError(ignore).ignoreErrors().start()).toThrow(/onError and ignoreErrors exclude each other/);
    expect(() => over().ignoreErrors().onError(ignore).start()).toThrow(/onError and ignoreErrors exclude each other/);
  });

  it('can be completed after start() has said what is missing', () => {
    const { fired } = trying(['-t|'], (stream) => {
      expect(() => stream.start()).toThrow(ConfigurationError);
      stream.ignoreErrors().start();
    });
    expect(fired).toContain('completed');
  });

  it.each(names)('refuses what is no function: %s', (name) => {
    for (const callback of [undefined, null, 'log', {}]) {
      expect(() => over()[name](callback as never)).toThrow(/^tokenStream: \w+ is .*; it must be a function\.$/);
    }
  });

  it('is over with start(), which is called once', () => {
    const { model } = trying(['-t|'], (stream) => {
      stream.ignoreErrors().start();
      expect(() => stream.start()).toThrow(/start\(\) was called twice/);
      expect(() => stream.onPartialResponse(ignore)).toThrow(/onPartialResponse was called after start\(\)/);
      expect(() => stream.ignoreErrors()).toThrow(/ignoreErrors was called after start\(\)/);
    });
    expect(model.requests).toHaveLength(1);
  });
});

describe('cancel()', () => {
  const leaving = (name: 'onPartialResponse' | 'onPartialThinking' | 'beforeToolExecution' | 'onToolExecuted') => {
    const told: string[] = [];
    const tell = (what: string) => () => void told.push(what);
    const a = scriptedTool('a', '--r|');
    const played = trying(
      ['-~t-A--|', '-z|'],
      (stream) => {
        const handle = stream[name](() => {
          told.push(name);
          handle.cancel();
        })
          .onCompleteResponse(tell('complete'))
          .onError(tell('error'))
          .start();
      },
      { tools: [a] },
    );
    return { ...played, told, a };
  };

  it.each(['onPartialResponse', 'onPartialThinking'] as const)(
    '[S170] in %s stops the model, and nothing more is called',
    (name) => {
      const { told, model, a, fired, logs } = leaving(name);
      expect(told).toEqual([name]);
      expect(model.subscriptions()).toEqual([name === 'onPartialThinking' ? '^!' : '^-!']);
      expect(a.subscriptions()).toEqual([]);
      expect(fired).toEqual(['started', 'requestIssued', 'cancelled', 'invocationSummary']);
      expect(logs).toEqual([]);
    },
  );

  it.each(['beforeToolExecution', 'onToolExecuted'] as const)('in %s asks the model no more', (name) => {
    const { told, model, fired } = leaving(name);
    expect(told).toEqual([name]);
    expect(model.requests).toHaveLength(1);
    expect(fired.at(-2)).toBe('cancelled');
  });

  it('from outside stops a running tool', () => {
    const a = scriptedTool('a', '------r|');
    const told: unknown[] = [];
    runMarbles(({ at }) => {
      const stream = aiService({ model: scriptedModel(['-A|']), tools: [a] }).tokenStream('x');
      at(0, () => {
        const handle = stream
          .onToolExecuted((execution) => told.push(execution))
          .onError((error) => told.push(error))
          .start();
        at(3, () => {
          handle.cancel();
          handle.cancel();
        });
      });
    });
    expect(a.subscriptions()).toEqual(['-^-!']);
    expect(told).toEqual([]);
  });

  it('does nothing after the end, nor in the callback that hears of it', () => {
    const told: unknown[] = [];
    const { fired, logs } = trying(['-t|'], (stream) => {
      const handle = stream
        .onCompleteResponse(() => {
          told.push('complete');
          handle.cancel();
        })
        .onError((error) => told.push(error))
        .start();
      timer(10).subscribe({ next: () => handle.cancel(), error: ignore });
    });
    expect(told).toEqual(['complete']);
    expect(fired.slice(-2)).toEqual(['completed', 'invocationSummary']);
    expect(logs).toEqual([]);
  });

  it('in the callback that gets the whole text withholds the answer', () => {
    const events = new Subject<AiServiceStreamingEvent>();
    const told: unknown[] = [];
    const handle = tokenStream(events, keptLogs())
      .onPartialResponse((text) => {
        told.push(text);
        handle.cancel();
      })
      .onCompleteResponse((answer) => told.push(answer))
      .ignoreErrors()
      .start();
    events.next({ type: 'finalResponse', response, ...first });
    expect(told).toEqual(['whole']);
  });

  it('stops what callbacks have begun, whose failure then concerns nobody', async () => {
    const stopped: string[] = [];
    const told: unknown[] = [];
    const logger = keptLogs();
    let reject: (error: Error) => void = ignore;
    const handle = tokenStream(
      new Observable((subscriber) => subscriber.next({ type: 'partialResponse', text: 't', ...first })),
      logger,
    )
      .onPartialResponse(() => new Observable(() => () => stopped.push('save')))
      .onError((error) => told.push(error))
      .start();
    expect(stopped).toEqual([]);
    handle.cancel();
    expect(stopped).toEqual(['save']);

    const events = new Subject<AiServiceStreamingEvent>();
    const other = tokenStream(events, logger)
      .onPartialResponse(() => new Promise((_, fail) => (reject = fail)))
      .onError((error) => told.push(error))
      .start();
    events.next({ type: 'partialResponse', text: 't', ...first });
    other.cancel();
    reject(new Error('aborted'));
    await Promise.resolve();
    expect(told).toEqual([]);
    expect(logger.logs).toEqual([]);
  });

  it('can be left to a signal, which also reaches a model that answers at once: onError is told', () => {
    const controller = new AbortController();
    const { marbles, error, fired } = played({
      rounds: ['-t-----|'],
      call: { signal: controller.signal },
      meanwhile: { 3: () => controller.abort('enough') },
    });
    expect(marbles).toBe('-t-#');
    expect(error).toMatchObject({ name: 'AbortError', cause: 'enough', partial: { content: 't' } });
    expect(fired.at(-2)).toBe('cancelled');

    const atOnce = new AbortController();
    const told: unknown[] = [];
    aiService({ model: scriptedModel(['(tuv)|']), logger: keptLogs() })
      .tokenStream('x', { signal: atOnce.signal })
      .onPartialResponse((text) => {
        told.push(text);
        atOnce.abort();
      })
      .onError(({ name }) => told.push(name))
      .start();
    expect(told).toEqual(['t', 'AbortError']);
  });
});

describe('a callback that fails', () => {
  const broken = new Error('broken callback');
  const ways = [
    ['throws', () => { throw broken; }], // prettier-ignore
    ['errors', () => throwError(() => broken)],
  ] as const;
  const callbacks = [
    'onPartialResponse',
    'onPartialThinking',
    'onPartialToolCall',
    'onIntermediateResponse',
    'beforeToolExecution',
    'onToolExecuted',
    'onRetrieved',
    'onCompleteResponse',
  ] as const;
  const execution = { request: { id: 'A', name: 'a', arguments: '{}' } } as never;
  const all: readonly AiServiceStreamingEvent[] = [
    { type: 'retrievedContents', contents: [], ...first },
    { type: 'partialThinking', text: 'hm', ...first },
    { type: 'partialResponse', text: 't', ...first },
    { type: 'partialToolCall', index: 0, id: 'A', name: 'a', partialArguments: '{}', ...first },
    { type: 'beforeToolExecution', request: { id: 'A', name: 'a', arguments: '{}' }, ...first },
    { type: 'afterToolExecution', execution, ...first },
    { type: 'intermediateResponse', response, ...first },
    { type: 'finalResponse', response, ...second },
  ];

  it.each(callbacks.flatMap((name) => ways.map(([way, callback]) => ({ name, way, callback }))))(
    '$name that $way ends the invocation, and onError is told once',
    ({ name, callback }) => {
      const told: unknown[] = [];
      let emitted = 0;
      const events = new Observable<AiServiceStreamingEvent>((subscriber) => {
        for (const event of all) {
          if (subscriber.closed) return;
          emitted++;
          subscriber.next(event);
        }
      });
      const logger = keptLogs();
      tokenStream(events, logger)
        [name](callback)
        .onError((error) => told.push(error))
        .start();
      expect(told).toEqual([broken]);
      expect(emitted).toBeLessThanOrEqual(all.length);
      expect(all[emitted - 1]).toMatchObject(name === 'onCompleteResponse' ? { type: 'finalResponse' } : { round: 1 });
      expect(logger.logs).toEqual([]);
    },
  );

  it('stops the model and the tools, and is seen as a cancel by those who look on', () => {
    const told: unknown[] = [];
    const { model, fired } = trying(['-t----|'], (stream) =>
      stream
        .onPartialResponse(() => {
          throw broken;
        })
        .onCompleteResponse((answer) => told.push(answer))
        .onError((error) => told.push(error))
        .start(),
    );
    expect(told).toEqual([broken]);
    expect(model.subscriptions()).toEqual(['^!']);
    expect(fired).toEqual(['started', 'requestIssued', 'cancelled', 'invocationSummary']);
  });

  it('stops also a model that answers at once', () => {
    const texts: string[] = [];
    aiService({ model: scriptedModel(['(tuv)|']), logger: keptLogs() })
      .tokenStream('x')
      .onPartialResponse((text) => {
        texts.push(text);
        throw broken;
      })
      .ignoreErrors()
      .start();
    expect(texts).toEqual(['t']);
  });

  it('may be async: what follows does not wait for it, and its rejection ends the invocation', async () => {
    const told: unknown[] = [];
    const events = new Subject<AiServiceStreamingEvent>();
    tokenStream(events, keptLogs())
      .onPartialResponse((text) => {
        told.push(text);
        return text === 'u' ? Promise.reject(broken) : Promise.resolve();
      })
      .onError((error) => told.push(error))
      .start();
    for (const text of ['t', 'u', 'v']) events.next({ type: 'partialResponse', text, ...first });
    expect(told).toEqual(['t', 'u', 'v']);
    expect(events.observed).toBe(true);
    await Promise.resolve();
    expect(told).toEqual(['t', 'u', 'v', broken]);
    expect(events.observed).toBe(false);
  });

  it('is told also when the answer has come already', async () => {
    const told: unknown[] = [];
    over({ type: 'finalResponse', response, ...first })
      .onCompleteResponse(() => Promise.reject(broken))
      .onError((error) => told.push(error))
      .start();
    expect(told).toEqual([]);
    await Promise.resolve();
    expect(told).toEqual([broken]);
  });

  it('may have thrown anything: onError gets an Error that names the callback', () => {
    const told: Error[] = [];
    over({ type: 'partialResponse', text: 't', ...first })
      .onPartialResponse(() => {
        throw 'a text';
      })
      .onError((error) => told.push(error))
      .start();
    expect(told[0]).toBeInstanceOf(Error);
    expect(told[0]).toMatchObject({ message: 'onPartialResponse threw "a text".', cause: 'a text' });
  });

  it('is only logged behind the first failure', async () => {
    const logger = keptLogs();
    const told: unknown[] = [];
    const events = new Subject<AiServiceStreamingEvent>();
    tokenStream(events, logger)
      .onPartialResponse(() => Promise.reject(broken))
      .onError((error) => told.push(error))
      .start();
    events.next({ type: 'partialResponse', text: 't', ...first });
    const lost = new Error('lost');
    events.error(lost);
    await Promise.resolve();
    expect(told).toEqual([lost]);
    expect(logger.logs).toEqual([['error', expect.stringContaining('callback'), broken]]);
  });

  it('is only logged behind its own cancel', () => {
    const logger = keptLogs();
    const told: unknown[] = [];
    const events = new Subject<AiServiceStreamingEvent>();
    const handle = tokenStream(events, logger)
      .onPartialResponse(() => {
        handle.cancel();
        throw broken;
      })
      .onError((error) => told.push(error))
      .start();
    events.next({ type: 'partialResponse', text: 't', ...first });
    expect(told).toEqual([]);
    expect(logger.logs.map(([, , error]) => error)).toEqual([broken]);
  });
});

describe('the errors of a token stream', () => {
  const lost = new Error('lost');
  const broken = new Error('broken handler');

  afterEach(() => {
    config.onUnhandledError = null;
  });

  it('are told to onError, once and last', () => {
    const { marbles, error, fired } = played({ rounds: [{ marbles: '-t#', error: lost }] });
    expect(marbles).toBe('-t#');
    expect(error).toBe(lost);
    expect(fired.slice(-2)).toEqual(['error', 'invocationSummary']);
  });

  it('are logged as warnings under ignoreErrors', () => {
    const { logs } = trying([{ marbles: '-t#', error: lost }], (stream) => stream.ignoreErrors().start());
    expect(logs).toEqual([['warn', expect.stringContaining('ignored'), lost]]);
  });

  it.each([
    ['throws', () => { throw broken; }], // prettier-ignore
    ['rejects', () => Promise.reject(broken)],
    ['errors', () => throwError(() => broken)],
  ])('are safe with an onError that %s: its failure is logged, and unhandled by nobody', async (_, handler) => {
    const unhandled: unknown[] = [];
    config.onUnhandledError = (error) => unhandled.push(error);
    const logger = keptLogs();
    tokenStream(
      throwError(() => lost),
      logger,
    )
      .onError(handler)
      .start();
    await Promise.resolve();
    expect(logger.logs).toEqual([['error', expect.any(String), broken]]);
    expect(unhandled).toEqual([]);
  });

  it('are safe with a logger that throws', () => {
    const throws = () => {
      throw broken;
    };
    const logger = { warn: throws, error: throws, debug: throws };
    const failing = () => tokenStream(throwError(() => lost), logger); // prettier-ignore
    expect(() => failing().ignoreErrors().start()).not.toThrow();
    expect(() => failing().onError(throws).start()).not.toThrow();
  });

  it('leave an invocation that never ends to cancel()', () => {
    const handle = tokenStream(NEVER, keptLogs()).ignoreErrors().start();
    expect(() => handle.cancel()).not.toThrow();
  });
});
