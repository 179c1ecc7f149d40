import 'node:process';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { asyncScheduler, retry } from 'rxjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChatModelError } from '../../src/chat/chat-model-error.ts';
import type { ChatModel } from '../../src/chat/chat-model.ts';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import { messageWindowMemory } from '../../src/memory/message-window-memory.ts';
import { tracing } from '../../src/otel/tracing.ts';
import { withTracing } from '../../src/otel/with-tracing.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { executorTool } from '../../src/tool/executor-tool.ts';
import { toolErrorVisibleToLlm } from '../../src/tool/visible-to-llm.ts';
import { modelNamed, played, silent } from './played.ts';
import { complaints, keepingContext, ms, traced } from './traced.ts';

let release: () => void;
let complained: readonly string[];
beforeAll(() => {
  release = keepingContext();
  complained = complaints();
});
afterAll(() => {
  release();
  expect(complained).toEqual([]);
});

describe('the spans of an invocation', () => {
  it('are one for itself, and in it one for each request and each execution, for as long as they took', () => {
    const spans = played(({ tool }) => ({
      name: 'helper',
      model: modelNamed('m', ['-A-B|', '--z|']),
      tools: [tool('a', '---r|'), tool('b', '-r|')],
    }));
    expect(spans.tree()).toEqual(['invoke_agent helper', '  chat m', '  execute_tool a', '  execute_tool b', '  chat m']);
    expect(spans.spans().map(({ kind }) => kind)).toEqual([
      SpanKind.INTERNAL,
      SpanKind.CLIENT,
      SpanKind.INTERNAL,
      SpanKind.INTERNAL,
      SpanKind.CLIENT,
    ]);
    expect(spans.spans().map(({ startTime, endTime }) => [ms(startTime), ms(endTime)])).toEqual([
      [0, 8],
      [0, 4],
      [1, 5],
      [3, 5],
      [5, 8],
    ]);
    expect(spans.spans().every(({ status }) => status.code === SpanStatusCode.UNSET)).toBe(true);
  });

  it('say what was asked and what came of it, as the conventions call it', () => {
    const spans = played(
      ({ tool }) => ({
        name: 'helper',
        model: modelNamed('m', [
          'A|',
          {
            marbles: '--z|',
            response: {
              id: 'r-1',
              modelName: 'm-2026',
              tokenUsage: {
                inputTokens: 10,
                outputTokens: 5,
                cachedInputTokens: 4,
                cacheCreationInputTokens: 3,
                reasoningTokens: 2,
              },
            },
          },
        ]),
        tools: [tool('a', 'r|', { description: 'Does a.' })],
        chatRequestTransformer: (request) => ({
          ...request,
          temperature: 0.5,
          maxOutputTokens: 100,
          topK: 3,
          stopSequences: ['END'],
        }),
      }),
      {},
      { memoryId: 17 },
    );
    expect(spans.one('invoke_agent helper').attributes).toEqual({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'helper',
      'gen_ai.conversation.id': '17',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 5,
    });
    expect(spans.named('chat m').at(-1)!.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'scripted',
      'gen_ai.request.model': 'm',
      'gen_ai.request.temperature': 0.5,
      'gen_ai.request.max_tokens': 100,
      'gen_ai.request.top_k': 3,
      'gen_ai.request.stop_sequences': ['END'],
      'gen_ai.request.stream': true,
      'gen_ai.conversation.id': '17',
      'gen_ai.response.id': 'r-1',
      'gen_ai.response.model': 'm-2026',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.response.time_to_first_chunk': 0.002,
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 5,
      'gen_ai.usage.cache_read.input_tokens': 4,
      'gen_ai.usage.cache_write.input_tokens': 3,
      'gen_ai.usage.reasoning.output_tokens': 2,
    });
    expect(spans.named('chat m')[0]!.attributes).toMatchObject({ 'gen_ai.response.finish_reasons': ['tool_call'] });
    expect(spans.one('execute_tool a').attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.agent.name': 'helper',
      'gen_ai.tool.name': 'a',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': 'A',
      'gen_ai.tool.description': 'Does a.',
    });
  });

  it('are named by their operation alone where service and model have no name', () => {
    const spans = played(({ model }) => ({ model: model(['z|']) }));
    expect(spans.tree()).toEqual(['invoke_agent', '  chat']);
  });

  it('count cached tokens among the input tokens, also where the provider counts them beside', () => {
    const tokenUsage = { inputTokens: 10, cachedInputTokens: 4, cacheCreationInputTokens: 3 };
    const answer = { marbles: 'z|', response: { tokenUsage } };
    const spans = played(() => ({ model: { ...modelNamed('m', [answer]), provider: 'anthropic' } }));
    expect(spans.one('chat m').attributes).toMatchObject({ 'gen_ai.usage.input_tokens': 17 });
    expect(spans.one('invoke_agent').attributes).toMatchObject({ 'gen_ai.usage.input_tokens': 17 });
  });

  it('call Gemini by the name that the conventions have for it', () => {
    const spans = played(() => ({ model: { ...modelNamed('m', ['z|']), provider: 'gemini' } }));
    expect(spans.one('chat m').attributes).toMatchObject({ 'gen_ai.provider.name': 'gcp.gemini' });
  });

  it('tell the repetitions of a request, which are one request', () => {
    const error = new ChatModelError('busy', { kind: 'overloaded', provider: 'p', retryable: true });
    const model: ChatModel = {
      ...modelNamed('m', [{ marbles: '-R--z|' }], { events: { R: { type: 'retry', attempt: 1, delay: 500, error } } }),
    };
    const [event, ...more] = played(() => ({ model })).one('chat m').events;
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      name: 'toolstream.retry',
      attributes: { 'toolstream.retry.attempt': 1, 'toolstream.retry.delay': 0.5, 'error.type': 'overloaded' },
    });
    expect(ms(event!.time)).toBe(1);
  });

  it('have a conversation only where there is an id', () => {
    for (const memoryId of [undefined, { user: 1 }, null]) {
      const spans = played(() => ({ model: modelNamed('m', ['z|']) }), {}, { memoryId });
      expect(spans.one('chat m').attributes).not.toHaveProperty('gen_ai.conversation.id');
    }
  });
});

describe('what went wrong', () => {
  it('with the model is told on its span and on the invocation, by the kind of error', () => {
    const details = { kind: 'rateLimit', provider: 'p', retryable: true, status: 429, requestId: 'r-7' } as const;
    const error = new ChatModelError('Slow down.', details);
    const spans = played(() => ({ model: modelNamed('m', [{ marbles: '-t-#', error }]) }));
    for (const name of ['chat m', 'invoke_agent']) {
      const { status, attributes, events } = spans.one(name);
      expect(status).toEqual({ code: SpanStatusCode.ERROR, message: 'rateLimit, status 429, request r-7' });
      expect(attributes).toMatchObject({ 'error.type': 'rateLimit', 'gen_ai.response.finish_reasons': ['error'] });
      expect(events).toMatchObject([{ name: 'exception', attributes: { 'exception.type': 'ChatModelError' } }]);
    }
  });

  it('with a tool is told on its span by the name of what it threw, and on the invocation only if that failed', () => {
    class NoStock extends Error {}
    const fails = (error: Error) =>
      played(({ tool }) => ({ model: modelNamed('m', ['A|', 'z|']), tools: [tool('a', '-#', { error })] }));
    const failed = fails(new NoStock('sold out'));
    expect(failed.one('execute_tool a').attributes).toMatchObject({ 'error.type': 'NoStock' });
    expect(failed.one('invoke_agent')).toMatchObject({
      status: { code: SpanStatusCode.ERROR },
      attributes: { 'error.type': 'NoStock' },
    });
    const told = fails(toolErrorVisibleToLlm('Ask for another.'));
    expect(told.one('execute_tool a').status.code).toBe(SpanStatusCode.ERROR);
    expect(told.one('invoke_agent').status.code).toBe(SpanStatusCode.UNSET);
  });

  it('with a tool that says so itself, by its result, is an error of the tool', () => {
    const spans = played(() => ({
      model: modelNamed('m', ['A|', 'z|']),
      tools: [executorTool({ name: 'a', parameters: { type: 'object' } }, () => ({ contents: [], isError: true }))],
    }));
    expect(spans.one('execute_tool a')).toMatchObject({
      status: { code: SpanStatusCode.ERROR },
      attributes: { 'error.type': 'tool_error' },
    });
  });

  it('with arguments is told without what the model wrote, unless content is recorded', () => {
    const make = (captureContent: boolean) =>
      played(
        ({ tool }) => ({
          model: modelNamed('m', ['A|', 'z|'], { calls: { A: { arguments: '{"pin":"s3cret"}' } } }),
          tools: [
            tool('a', 'r|', {
              parameters: { type: 'object', properties: { pin: { type: 'number' } }, required: ['pin'] },
            }),
          ],
        }),
        { captureContent },
      ).one('execute_tool a');
    const kept = make(false);
    expect(kept.attributes).toMatchObject({ 'error.type': 'ToolArgumentsError' });
    expect(JSON.stringify([kept.events, kept.status, kept.attributes])).not.toMatch(/s3cret|pin/);
    expect(make(true).status.message).toContain('pin');
  });

  it('by taking too long is told with the name of the limit that was hit', () => {
    const spans = played(({ tool }) => ({ model: modelNamed('m', ['A|', 'z|']), tools: [tool('a', '-----r|')], toolTimeout: 2 }));
    expect(spans.one('execute_tool a').attributes).toMatchObject({ 'error.type': 'ToolTimeoutError' });
    const late = played(() => ({ model: modelNamed('m', ['---------z|']), limits: { duration: 2 } }));
    expect(late.one('invoke_agent').attributes).toMatchObject({ 'error.type': 'LimitExceededError' });
    expect(late.one('chat m').attributes).toMatchObject({ 'error.type': 'cancelled' });
  });

  it.each([
    ['while the model answers', '--!', ['chat m', 'invoke_agent'], []],
    ['while a tool runs', '------!', ['execute_tool a', 'invoke_agent'], ['chat m']],
  ] as const)('by somebody who left %s is told as cancelled', (_, subscription, cancelled, well) => {
    const spans = played(
      ({ tool }) => ({ model: modelNamed('m', ['-t-A|']), tools: [tool('a', '------r|')] }),
      {},
      {},
      subscription,
    );
    for (const name of cancelled) {
      expect(spans.one(name)).toMatchObject({
        status: { code: SpanStatusCode.ERROR, message: 'cancelled' },
        attributes: { 'error.type': 'cancelled' },
        events: [],
      });
    }
    for (const name of well) expect(spans.one(name).status.code).toBe(SpanStatusCode.UNSET);
    expect(spans.open()).toBe(0);
  });

  it('and is gone on with, is another span that is linked to the failed one', () => {
    const spans = traced();
    runMarbles(({ record }) => {
      const service = aiService({
        model: modelNamed('m', ['A|', '-#', '-z|']),
        tools: [],
        hallucinatedToolNameStrategy: () => 'none',
        chatMemory: messageWindowMemory({ maxMessages: 9 }),
        logger: silent,
        ...tracing({ tracer: spans.tracer, scheduler: asyncScheduler }),
      });
      record(service.stream('Go').pipe(retry(1)), () => '');
    });
    expect(spans.tree()).toEqual(['invoke_agent', '  chat m', '  chat m', 'invoke_agent', '  chat m']);
    const [failed, resumed] = spans.named('invoke_agent');
    expect([failed!.status.code, resumed!.status.code]).toEqual([SpanStatusCode.ERROR, SpanStatusCode.UNSET]);
    expect(resumed!.links.map(({ context: { spanId } }) => spanId)).toEqual([failed!.spanContext().spanId]);
  });

  it('before the first request is told on the invocation', () => {
    const spans = played(() => ({
      model: modelNamed('m', []),
      systemMessage: () => {
        throw new TypeError('no such text');
      },
    }));
    expect(spans.tree()).toEqual(['invoke_agent']);
    expect(spans.one('invoke_agent').attributes).toMatchObject({ 'error.type': 'TypeError' });
  });

  it('and was undone, or could not be, has a span for each undo, also behind a cancel', () => {
    const make = (subscription: string, undo: () => void) =>
      played(
        ({ tool }) => ({
          model: modelNamed('m', ['A|', '-------#']),
          tools: [tool('a', 'r|', { compensate: undo })],
          compensateOnToolErrors: true,
        }),
        {},
        {},
        subscription,
      );
    for (const [subscription, reason] of [
      ['^', 'modelError'],
      ['---!', 'cancelled'],
    ] as const) {
      const spans = make(subscription, () => undefined);
      expect(spans.tree()).toEqual(['invoke_agent', '  chat m', '  execute_tool a', '  chat m', '  compensate_tool a']);
      expect(spans.one('compensate_tool a').attributes).toMatchObject({
        'gen_ai.tool.call.id': 'A',
        'toolstream.compensation.reason': reason,
      });
      expect(spans.one('compensate_tool a').status.code).toBe(SpanStatusCode.UNSET);
    }
    const failing = make('^', () => {
      throw new RangeError('gone');
    });
    expect(failing.one('compensate_tool a').attributes).toMatchObject({ 'error.type': 'RangeError' });
  });
});

describe('the options of tracing', () => {
  it.each([
    [{ captureContents: true }, 'unknown option captureContents'],
    [{ tracer: {} }, 'tracer'],
    [{ meter: 1 }, 'meter'],
    [{ captureContent: 'yes' }, 'captureContent'],
    [{ timePerOutputChunk: 1 }, 'timePerOutputChunk'],
    [{ scheduler: {} }, 'scheduler'],
  ])('are checked: %j', (options, told) => {
    for (const make of [() => tracing(options as never), () => withTracing({ model: modelNamed('m', []) }, options as never)]) {
      expect(make).toThrow(ConfigurationError);
      expect(make).toThrow(told);
    }
  });

  it('are taken once: to trace twice would double all spans', () => {
    const model = modelNamed('m', []);
    expect(() => withTracing({ model, ...tracing() })).toThrow(/are traced already/);
    expect(() => withTracing(withTracing({ model }))).toThrow(/are traced already/);
    expect(() => withTracing(undefined as never)).toThrow(/there must be the options of a service/);
  });

  it.each([
    [{ interceptors: { model: 'x' } }, 'interceptors.model'],
    [{ interceptors: { tools: [] } }, 'tools'],
    [{ listeners: {} }, 'listeners'],
    [{ captureContext: 1 }, 'captureContext'],
  ])('do not hide what is wrong with those of the service: %j', (options, told) => {
    const make = () => aiService(withTracing({ model: modelNamed('m', []), ...(options as object) }));
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(told);
  });
});
