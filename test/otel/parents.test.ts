import { context, trace } from '@opentelemetry/api';
import { setImmediate as later } from 'node:timers/promises';
import { concatMap, defer, from, merge, mergeMap, of, retry, switchMap, toArray } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { guardrail } from '../../src/chat/guardrail-result.ts';
import type { ChatModel, ChatModelEvent } from '../../src/chat/chat-model.ts';
import { messageWindowMemory } from '../../src/memory/message-window-memory.ts';
import { tracing } from '../../src/otel/tracing.ts';
import { withTracing } from '../../src/otel/with-tracing.ts';
import { aiService } from '../../src/service/ai-service.ts';
import type { ModelInterceptor } from '../../src/service/options.ts';
import { tool } from '../../src/tool/tool.ts';
import type { ToolInterceptor } from '../../src/tool/types.ts';
import { lastOf } from '../provider/last-of.ts';
import { modelNamed, silent } from './played.ts';
import { complaints, keepingContext, traced } from './traced.ts';

let release: () => void;
let complained: readonly string[];
beforeEach(() => {
  release = keepingContext();
  complained = complaints();
});
afterEach(() => {
  release();
  expect(complained).toEqual([]);
});

/** Does something in a span, as an instrumented library would: with a wait before it and in it. */
async function work(spans: ReturnType<typeof traced>, name: string): Promise<string> {
  await later();
  return spans.tracer.startActiveSpan(name, async (span) => {
    await later();
    span.end();
    return name;
  });
}

/** A model whose requests are work of their own, after which it answers. */
const requesting = (spans: ReturnType<typeof traced>, model: ChatModel): ChatModel => ({
  ...model,
  chat: (request) => defer(() => work(spans, 'HTTP')).pipe(switchMap(() => model.chat(request))),
});

const worker = (spans: ReturnType<typeof traced>, name = 'a') =>
  tool({ name, execute: () => work(spans, `SQL of ${name}`), parameters: { type: 'object' } });

describe('the parent of a span', () => {
  it('is the request for what sends it, and the execution for what the tool does, also after waiting', async () => {
    const spans = traced();
    const model = requesting(spans, modelNamed('m', ['A|', 'z|']));
    const service = aiService({ model, tools: [worker(spans)], ...tracing({ tracer: spans.tracer }) });
    await lastOf(service.stream('Go'));
    expect(spans.tree()).toEqual([
      'invoke_agent',
      '  chat m',
      '    HTTP',
      '  execute_tool a',
      '    SQL of a',
      '  chat m',
      '    HTTP',
    ]);
  });

  it('is what was active where the user subscribed, for the invocation', async () => {
    const spans = traced();
    const service = aiService({ model: requesting(spans, modelNamed('m', ['z|'])), ...tracing({ tracer: spans.tracer }) });
    const answer$ = service.stream('Go');
    await spans.tracer.startActiveSpan('GET /ask', async (span) => {
      await lastOf(answer$);
      span.end();
    });
    expect(spans.tree()).toEqual(['GET /ask', '  invoke_agent', '    chat m', '      HTTP']);
  });

  it('is the right one in invocations that run at the same time, also when they wait for the same memory', async () => {
    const spans = traced();
    const memory = messageWindowMemory({ maxMessages: 100 });
    const service = (isWaiting: boolean, name: string) =>
      aiService({
        name,
        model: requesting(spans, modelNamed('m', ['AB|', 'z|'])),
        tools: [worker(spans), worker(spans, 'b')],
        ...(isWaiting && { chatMemory: memory }),
        ...tracing({ tracer: spans.tracer }),
      });
    const names = Array.from({ length: 8 }, (_, index) => `s${index}`);
    const ask = (name: string, index: number) =>
      spans.tracer.startActiveSpan(`GET /${name}`, async (span) => {
        await lastOf(service(index % 2 === 0, name).stream('Go'));
        span.end();
      });
    await Promise.all(names.map(ask));
    expect(spans.tree()).toEqual(
      names.flatMap((name) => [
        `GET /${name}`,
        `  invoke_agent ${name}`,
        '    chat m',
        '      HTTP',
        '    execute_tool a',
        '      SQL of a',
        '    execute_tool b',
        '      SQL of b',
        '    chat m',
        '      HTTP',
      ]),
    );
  });

  it('is the execution, for a service that is the tool of another one', async () => {
    const spans = traced();
    const traces = tracing({ tracer: spans.tracer });
    const inner = aiService({
      name: 'inner',
      model: requesting(spans, modelNamed('n', ['A|', 'z|'])),
      tools: [worker(spans)],
      ...traces,
    });
    const outer = aiService({
      name: 'outer',
      model: modelNamed('m', ['B|', 'z|'], { calls: { B: { name: 'ask', arguments: '{"input":"?"}' } } }),
      tools: [inner.asTool({ name: 'ask' })],
      ...traces,
    });
    await lastOf(outer.stream('Go'));
    expect(spans.tree()).toEqual([
      'invoke_agent outer',
      '  chat m',
      '  execute_tool ask',
      '    invoke_agent inner',
      '      chat n',
      '        HTTP',
      '      execute_tool a',
      '        SQL of a',
      '      chat n',
      '        HTTP',
      '  chat m',
    ]);
  });

  it('is the invocation for all else that runs in it: retrieval, guardrails, callbacks and what memory is told', async () => {
    const spans = traced();
    const stored = messageWindowMemory({ maxMessages: 9 });
    const service = aiService({
      model: modelNamed('m', ['A|', 'z|']),
      tools: [tool({ name: 'a', execute: () => 'r' })],
      contentRetriever: () => work(spans, 'search').then((text) => [{ type: 'text' as const, text }]),
      inputGuardrails: [() => work(spans, 'judge').then(() => guardrail.success())],
      chatMemory: { ...stored, add: () => work(spans, 'write') as never, set: () => work(spans, 'write') as never },
      beforeToolExecution: () => work(spans, 'before'),
      ...tracing({ tracer: spans.tracer }),
    });
    await lastOf(service.stream('Go'));
    const [root, ...others] = spans.tree();
    expect(root).toBe('invoke_agent');
    expect(others.filter((line) => !/chat|execute_tool/.test(line))).toEqual([
      '  search',
      '  judge',
      '  before',
      '  write',
      '  write',
    ]);
  });

  it('is not an invocation that has ended, for one that follows it', async () => {
    const spans = traced();
    const service = (name: string) => aiService({ name, model: modelNamed('m', ['z|']), ...tracing({ tracer: spans.tracer }) });
    const traces = tracing({ tracer: spans.tracer });
    const shared = (name: string) => aiService({ name, model: modelNamed('m', ['z|']), ...traces });
    await lastOf(
      service('first')
        .result('Go')
        .pipe(concatMap(() => service('second').result('Go'))),
    );
    await lastOf(
      shared('third')
        .result('Go')
        .pipe(concatMap(() => shared('fourth').result('Go'))),
    );
    expect(spans.tree()).toEqual(['first', 'second', 'third', 'fourth'].flatMap((name) => [`invoke_agent ${name}`, '  chat m']));
  });

  it('is the same for an invocation that goes on after a failure', async () => {
    const spans = traced();
    const service = aiService({
      model: requesting(spans, modelNamed('m', ['#', 'z|'])),
      logger: silent,
      ...tracing({ tracer: spans.tracer }),
    });
    await spans.tracer.startActiveSpan('GET /', async (span) => {
      await lastOf(service.stream('Go').pipe(retry(1)));
      span.end();
    });
    expect(spans.tree()).toEqual([
      'GET /',
      '  invoke_agent',
      '    chat m',
      '      HTTP',
      '  invoke_agent',
      '    chat m',
      '      HTTP',
    ]);
  });

  it('is right without a context manager too, for the spans of an invocation', async () => {
    context.disable();
    const spans = traced();
    const service = (name: string) =>
      aiService({
        name,
        model: requesting(spans, modelNamed('m', ['A|', 'z|'])),
        tools: [worker(spans)],
        ...tracing({ tracer: spans.tracer }),
      });
    await lastOf(merge(service('s').stream('Go'), service('t').stream('Go')));
    expect(spans.tree().filter((line) => !/HTTP|SQL/.test(line))).toEqual(
      ['s', 't'].flatMap((name) => [`invoke_agent ${name}`, '  chat m', '  execute_tool a', '  chat m']),
    );
  });
});

describe('beside what a service has already', () => {
  const answer: ChatModelEvent = {
    type: 'completeResponse',
    response: { aiMessage: { role: 'assistant', text: 'known', toolExecutionRequests: [] } },
  };

  it("a request's span stands behind its interceptors, and a tool's before them", async () => {
    const spans = traced();
    const inSpan =
      (name: string) =>
      <T>(run: () => T): T =>
        spans.tracer.startActiveSpan(name, (span) => {
          span.end();
          return run();
        });
    const model: ModelInterceptor = (request, _, next) => inSpan('mine')(() => defer(() => next({ ...request, modelName: 'n' })));
    const around: ToolInterceptor = (_, __, next) => defer(() => inSpan('also mine')(() => next()));
    const told: string[] = [];
    const service = aiService(
      withTracing(
        {
          model: modelNamed('m', ['A|', 'z|']),
          tools: [worker(spans)],
          interceptors: { model: [model], tool: [around] },
          listeners: [({ type }) => told.push(type)],
        },
        { tracer: spans.tracer },
      ),
    );
    await lastOf(service.stream('Go'));
    expect(spans.tree().filter((line) => !/mine$/.test(line) || /also/.test(line))).toEqual([
      'invoke_agent',
      '  chat n',
      '  execute_tool a',
      '    also mine',
      '    SQL of a',
      '  chat n',
    ]);
    expect(told).toContain('completed');
  });

  it('a request that an interceptor repeats is two, and one that it answers itself is none', async () => {
    const spans = traced();
    const ask = (interceptor: ModelInterceptor) =>
      lastOf(
        aiService(
          withTracing({ model: modelNamed('m', ['#', 'z|']), interceptors: { model: [interceptor] } }, { tracer: spans.tracer }),
        ).stream('Go'),
      );
    await ask((request, _, next) => next(request).pipe(retry(1)));
    await ask(() => of(answer));
    expect(spans.tree()).toEqual(['invoke_agent', '  chat m', '  chat m', 'invoke_agent']);
  });

  it('its own way to keep a context is kept', async () => {
    const spans = traced();
    let runs = 0;
    const service = aiService(
      withTracing(
        {
          model: modelNamed('m', ['z|']),
          captureContext: () => (job) => {
            runs++;
            job();
          },
        },
        { tracer: spans.tracer },
      ),
    );
    await lastOf(service.stream('Go'));
    expect(runs).toBeGreaterThan(0);
    expect(spans.tree()).toEqual(['invoke_agent', '  chat m']);
  });

  it('a tracing of its own can be shared by many services', async () => {
    const spans = traced();
    const traces = tracing({ tracer: spans.tracer });
    const names = ['s', 't', 'u'];
    const all$ = from(names).pipe(
      mergeMap((name) => aiService({ name, model: requesting(spans, modelNamed('m', ['z|'])), ...traces }).stream('Go')),
      toArray(),
    );
    await lastOf(all$);
    expect(spans.tree()).toEqual(names.flatMap((name) => [`invoke_agent ${name}`, '  chat m', '    HTTP']));
  });

  it('nothing is active when it is over', async () => {
    const spans = traced();
    await lastOf(aiService({ model: modelNamed('m', ['z|']), ...tracing({ tracer: spans.tracer }) }).stream('Go'));
    expect(trace.getActiveSpan()).toBeUndefined();
    expect(spans.open()).toBe(0);
  });
});
