import { Subject, filter, from, of, retry, take, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AgUiEvent } from '../../src/ag-ui/ag-ui-event.ts';
import { toAgUi, type ToAgUiOptions } from '../../src/ag-ui/to-ag-ui.ts';
import { ChatModelError } from '../../src/chat/chat-model-error.ts';
import type { ChatModelEvent } from '../../src/chat/chat-model.ts';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { guardrail } from '../../src/chat/guardrail-result.ts';
import type { AiServiceOptions } from '../../src/service/options.ts';
import type { AiServiceStreamingEvent } from '../../src/service/streaming-event.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import type { ScriptedAnswer } from '../../src/testing/scripted-answer.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { sequentialIds } from '../../src/testing/sequential-ids.ts';
import { toolScheduler } from '../../src/testing/tool-scheduler.ts';
import { tool } from '../../src/tool/tool.ts';
import { expectVerified, outline, told, watched } from './verified.ts';

const ids = { threadId: 'thread', runId: 'run' };
const add = tool({ name: 'add', parameters: z.object({ a: z.number() }), execute: ({ a }) => a + 1 });

function played(
  answers: readonly ScriptedAnswer[],
  options: Partial<AiServiceOptions<unknown>> = {},
  agUi: ToAgUiOptions = {},
): readonly AgUiEvent[] {
  const service = aiService({ model: scriptedModel(answers), idGenerator: sequentialIds(), ...options });
  const events = told(service.stream('hello').pipe(toAgUi({ ...ids, ...agUi })));
  expectVerified(events);
  return events;
}

const partial = (partialArguments: string, id = 'c', index = 0): ChatModelEvent => ({
  type: 'partialToolCall',
  index,
  id,
  name: 'add',
  partialArguments,
});
const complete = (written: string, id = 'c', index = 0): ChatModelEvent => ({
  type: 'completeToolCall',
  index,
  request: { id, name: 'add', arguments: written },
});

describe('toAgUi', () => {
  it('tells text as one message of a run', () => {
    expect(played([['Hel', '', 'lo']])).toEqual([
      { type: 'RUN_STARTED', ...ids, protocolVersion: '1.0' },
      { type: 'STEP_STARTED', stepName: 'round 1' },
      { type: 'TEXT_MESSAGE_START', messageId: 'id-1-1', role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'id-1-1', delta: 'Hel' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'id-1-1', delta: 'lo' },
      { type: 'TEXT_MESSAGE_END', messageId: 'id-1-1' },
      { type: 'STEP_FINISHED', stepName: 'round 1' },
      { type: 'RUN_FINISHED', ...ids, outcome: { type: 'success' }, metadata: { finishReason: 'stop' } },
    ]);
  });

  it('tells thoughts, calls, results and rounds, in the order in which they happen', () => {
    const events = played(
      [[{ type: 'partialThinking', text: 'Hm' }, 'Let me see. ', { call: 'add', arguments: { a: 1 } }], ['It is 2.']],
      { tools: [add] },
    );
    expect(outline(events)).toEqual(
      [
        'RUN_STARTED',
        'STEP_STARTED round 1',
        'REASONING_START',
        'REASONING_MESSAGE_START',
        'REASONING_MESSAGE_CONTENT Hm',
        'REASONING_MESSAGE_END',
        'REASONING_END',
        'TEXT_MESSAGE_START',
        'TEXT_MESSAGE_CONTENT Let me see. ',
        'TEXT_MESSAGE_END',
        'TOOL_CALL_START add',
        'TOOL_CALL_ARGS {"a":1}',
        'TOOL_CALL_END',
        'CUSTOM beforeToolExecution',
        'CUSTOM toolProgress',
        'TOOL_CALL_RESULT 2',
        'STEP_FINISHED round 1',
        'STEP_STARTED round 2',
        'TEXT_MESSAGE_START',
        'TEXT_MESSAGE_CONTENT It is 2.',
        'TEXT_MESSAGE_END',
        'STEP_FINISHED round 2',
        'RUN_FINISHED success',
      ].filter((line) => line !== 'CUSTOM toolProgress'),
    );
  });

  it('keeps the calls of a round with its text, also where text comes behind them', () => {
    const events = played([['a', { call: 'add', arguments: { a: 1 } }, 'b'], ['c']], { tools: [add] });
    const [first, second] = events.filter(({ type }) => type === 'TEXT_MESSAGE_START') as { messageId: string }[];
    expect(first!.messageId).toBe(second!.messageId);
    expect(events.find(({ type }) => type === 'TOOL_CALL_START')).toMatchObject({ parentMessageId: first!.messageId });
  });

  it('streams arguments as they are written, and what is missing of them in the end', () => {
    const lines = outline(played([[partial('{"a"'), partial(':1'), complete('{"a":1}')], ['z']], { tools: [add] }));
    expect(lines.filter((line) => line.startsWith('TOOL_CALL_'))).toEqual([
      'TOOL_CALL_START add',
      'TOOL_CALL_ARGS {"a"',
      'TOOL_CALL_ARGS :1',
      'TOOL_CALL_ARGS }',
      'TOOL_CALL_END',
      'TOOL_CALL_RESULT 2',
    ]);
  });

  it('says so where the arguments are others in the end, and corrects them where it knows the messages', () => {
    const rounds: ScriptedAnswer[] = [[partial('{"a":9'), complete('{"a":1}')], ['z']];
    const unknown = played(rounds, { tools: [add] });
    expect(unknown.find(({ type }) => type === 'TOOL_CALL_END')).toMatchObject({ metadata: { arguments: '{"a":1}' } });
    const corrected = played(rounds, { tools: [add] }, { messages: [{ id: 'u', role: 'user', content: 'hello' }] });
    expect(corrected.find(({ type }) => type === 'MESSAGES_SNAPSHOT')).toMatchObject({
      messages: [{ id: 'u' }, { role: 'assistant', toolCalls: [{ id: 'c', function: { arguments: '{"a":1}' } }] }],
    });
  });

  it('answers a call that was cut off, so that no client takes it for one of its own', () => {
    const response = { aiMessage: { role: 'assistant', text: null, toolExecutionRequests: [] }, finishReason: 'length' } as const;
    const events = played([[partial('{"a"'), { type: 'completeResponse', response }]], { tools: [add] });
    expect(outline(events).slice(-4)).toEqual([
      'TOOL_CALL_END',
      'TOOL_CALL_RESULT Tool execution did not complete.!',
      'STEP_FINISHED round 1',
      'RUN_FINISHED success',
    ]);
  });

  it('tells the text of a failed call, and that it failed', () => {
    const failing = tool({
      name: 'add',
      execute: () => {
        throw new Error('no');
      },
    });
    const events = played([[{ call: 'add' }], ['z']], { tools: [failing], toolExecutionErrorHandler: () => 'It failed.' });
    expect(outline(events)).toContain('TOOL_CALL_RESULT It failed.!');
  });

  it('tells media that a tool returns as parts', () => {
    const image = { type: 'image', data: 'AA==', mediaType: 'image/png' } as const;
    const camera = tool({ name: 'look', execute: () => [image, { type: 'text', text: 'a cat' } as const] });
    expect(played([[{ call: 'look' }], ['z']], { tools: [camera] })).toContainEqual(
      expect.objectContaining({
        type: 'TOOL_CALL_RESULT',
        content: [
          { type: 'image', source: { type: 'data', value: 'AA==', mimeType: 'image/png' } },
          { type: 'text', text: 'a cat' },
        ],
      }),
    );
  });

  it('ends a failed run with RUN_ERROR, the open ends tied up before, and completes', () => {
    const error = new ChatModelError('Too many requests.', { kind: 'rateLimit', provider: 'p', retryable: true });
    const events = played([{ marbles: '(t#)', error }]);
    expect(outline(events).slice(-3)).toEqual([
      'TEXT_MESSAGE_END',
      'STEP_FINISHED round 1',
      'RUN_ERROR rateLimit: Too many requests.',
    ]);
  });

  it('lets the application say what the client is told of an error, and copes with a function that fails', () => {
    const masked = (errorMessage: (error: Error) => string) =>
      outline(told(throwError(() => new Error('password')).pipe(toAgUi({ ...ids, errorMessage })))).at(-1);
    expect(masked(({ name }) => `An ${name}.`)).toBe('RUN_ERROR Error: An Error.');
    const failing = () => {
      throw new Error('again');
    };
    expect(masked(failing)).toBe('RUN_ERROR Error: The run has failed.');
  });

  it('tells a cancelled invocation as a cancelled run, not as a failed one', () => {
    const model = scriptedModel(['-t-|']);
    const started = aiService({ model }).start('hello');
    const events = watched(started.events$.pipe(toAgUi(ids)));
    started.cancel();
    expectVerified(events);
    expect(outline(events)).toEqual(['RUN_STARTED', 'RUN_FINISHED cancelled']);
  });

  it('starts at once, and in virtual time', () => {
    runMarbles(({ record, model, tool: scripted }) => {
      const service = aiService({ model: model(['-t-A|', '-z|']), tools: [scripted('a', '--r|')] });
      const letters: Partial<Record<AgUiEvent['type'], string>> = {
        RUN_STARTED: 'r',
        TEXT_MESSAGE_CONTENT: 't',
        TOOL_CALL_START: 'c',
        TOOL_CALL_RESULT: 'a',
        RUN_FINISHED: 'f',
      };
      const run$ = service.stream('hello').pipe(
        toAgUi(ids),
        filter(({ type }) => letters[type] !== undefined),
      );
      record(run$, ({ type }) => letters[type]!).toBe('rt-c--at(f|)');
    });
  });
});

describe('toAgUi and approvals', () => {
  const guarded = tool({ name: 'add', needsApproval: true, execute: () => 'done' });

  it('ends the run with an interrupt when nothing goes on but the waiting', () => {
    const service = aiService({
      model: scriptedModel([[{ call: 'add', id: 'c' }], ['z']]),
      tools: [guarded],
      idGenerator: sequentialIds(),
    });
    const started = service.start('hello');
    const events = told(started.events$.pipe(toAgUi(ids)));
    expectVerified(events);
    expect(events.at(-1)).toMatchObject({
      outcome: {
        type: 'interrupt',
        interrupts: [{ id: 'id-1:c', reason: 'tool_call', toolCallId: 'c', metadata: { toolCallName: 'add', arguments: '{}' } }],
      },
    });
    expect(started.decideToolCall('c', true)).toBe(true);
  });

  it('leaves the run open where the application itself was asked', () => {
    const answer = new Subject<boolean>();
    const service = aiService({
      model: scriptedModel([[{ call: 'add' }], ['z']]),
      tools: [guarded],
      approveToolExecution: () => answer,
    });
    const events = watched(service.stream('hello').pipe(toAgUi(ids)));
    expect(outline(events).at(-1)).toBe('CUSTOM toolApprovalRequested');
    answer.next(true);
    expectVerified(events);
    expect(outline(events)).toContain('TOOL_CALL_RESULT done');
  });

  it('leaves the run open where it is told to', () => {
    const service = aiService({ model: scriptedModel([[{ call: 'add', id: 'c' }], ['z']]), tools: [guarded] });
    const started = service.start('hello');
    const events = watched(started.events$.pipe(toAgUi({ ...ids, interrupts: false })));
    started.decideToolCall('c', false);
    expectVerified(events);
    expect(outline(events)).toContain('TOOL_CALL_RESULT The call was not approved.!');
  });

  it('waits for the calls that may run, then interrupts', () => {
    toolScheduler().run(({ flush }) => {
      const service = aiService({
        model: scriptedModel(['AB|', 'z|']),
        tools: [scriptedTool('a', '---r|'), { ...guarded, specification: { name: 'b', parameters: {} } }],
      });
      const events = watched(service.start('hello').events$.pipe(toAgUi(ids)));
      flush();
      expectVerified(events);
      expect(outline(events).slice(-3)).toEqual(['TOOL_CALL_RESULT r', 'STEP_FINISHED round 1', 'RUN_FINISHED interrupt']);
    });
  });
});

describe('what the protocol has no word for', () => {
  it('is told as CUSTOM events, without what the application has put into the invocation', () => {
    const inner = aiService({ model: scriptedModel([['inner']]) }).asTool({ name: 'ask' });
    const service = aiService({ model: scriptedModel([[{ call: 'ask', arguments: { input: 'x' } }], ['z']]), tools: [inner] });
    const events = told(service.stream('hello', { parameters: { apiKey: 'sk-secret' } }).pipe(toAgUi(ids)));
    expectVerified(events);
    expect(JSON.stringify(events)).not.toContain('sk-secret');
    expect(outline(events)).toContain('CUSTOM toolProgress');
  });

  it('is passed on as JSON, whatever a tool tells as progress', () => {
    const circular: Record<string, unknown> = { big: 1n };
    circular['self'] = circular;
    const odd = tool({ name: 'odd', execute: () => of(circular, undefined) });
    const events = played([[{ call: 'odd' }], ['z']], { tools: [odd] });
    expect(() => JSON.stringify(events)).not.toThrow();
  });

  it('holds for items of the provider, too', () => {
    const events = played([[{ type: 'raw', event: { x: 1 } }, { type: 'raw', event: undefined }, 'z']]);
    expect(events.filter(({ type }) => type === 'RAW')).toEqual([
      { type: 'RAW', event: { x: 1 } },
      { type: 'RAW', event: null },
    ]);
  });

  it('is ignored where nobody knows it', () => {
    const unknown = { type: 'tomorrow', round: 1, invocation: { invocationId: 'i' } } as unknown as AiServiceStreamingEvent;
    expect(outline(told(of(unknown).pipe(toAgUi(ids))))).toEqual([
      'RUN_STARTED',
      'STEP_STARTED round 1',
      'STEP_FINISHED round 1',
      'RUN_FINISHED success',
    ]);
  });
});

describe('a round that is asked for again', () => {
  const rounds: ScriptedAnswer[] = [['a', { call: 'add', arguments: { a: 1 } }], { marbles: '(t#)' }, ['z']];

  it('is taken back by a snapshot where the messages are known', () => {
    const user = { id: 'u', role: 'user', content: 'hello' } as const;
    const events = played(rounds, { tools: [add], roundRetries: 1 }, { messages: [user] });
    const snapshot = events.find(({ type }) => type === 'MESSAGES_SNAPSHOT') as { messages: readonly unknown[] };
    expect(snapshot.messages).toEqual([
      user,
      {
        id: 'id-1-1',
        role: 'assistant',
        content: 'a',
        toolCalls: [{ id: 'call-0', type: 'function', function: { name: 'add', arguments: '{"a":1}' } }],
      },
      { id: 'id-1-2', role: 'tool', toolCallId: 'call-0', content: '2' },
    ]);
  });

  it('is taken back also where it is the subscriber who tries again', () => {
    const user = { id: 'u', role: 'user', content: 'hello' } as const;
    const service = aiService({ model: scriptedModel([{ marbles: '(t#)' }, ['z']]) });
    const events = told(service.stream('hello').pipe(retry(1), toAgUi({ ...ids, messages: [user] })));
    expectVerified(events);
    const snapshot = events.find(({ type }) => type === 'MESSAGES_SNAPSHOT') as { messages: readonly unknown[] };
    expect(snapshot.messages).toEqual([user]);
    expect(outline(events).filter((line) => line.startsWith('TEXT_MESSAGE_CONTENT'))).toHaveLength(2);
  });

  it('is told with the messages to drop where they are not known', () => {
    const events = played(rounds, { tools: [add], roundRetries: 1 });
    expect(events.filter(({ type }) => type === 'MESSAGES_SNAPSHOT')).toEqual([]);
    expect(events).toContainEqual({
      type: 'CUSTOM',
      name: 'roundRestarted',
      value: { round: 2, messageIds: ['id-1-3'], error: 'ChatModelError' },
    });
  });
});

describe('the end of a run', () => {
  it('has the object where the service has an output', () => {
    const events = played([['{"n":1}']], { output: z.object({ n: z.number() }) });
    expect(events.at(-1)).toMatchObject({ result: { n: 1 } });
  });

  it('has the text that guardrails have held back', () => {
    const events = played([['fine']], { outputGuardrails: [() => guardrail.success()] });
    expect(outline(events)).toContain('TEXT_MESSAGE_CONTENT fine');
  });

  it('has the tokens of each model, counted as the protocol counts', () => {
    const round = (marbles: string, modelName: string, tokenUsage: object): ScriptedAnswer => ({
      marbles,
      response: { modelName, tokenUsage },
    });
    const usage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 100, cacheCreationInputTokens: 7, totalTokens: 122 };
    const usageOf = (second: string) => {
      const model = scriptedModel([
        round('(A|)', 'one', usage),
        round('(z|)', second, { inputTokens: 3, outputTokens: 1, totalTokens: 4 }),
      ]);
      const service = aiService({ model, tools: [tool({ name: 'a', execute: () => 'r' })] });
      let events: readonly AgUiEvent[] = [];
      toolScheduler().run(({ flush }) => {
        events = watched(service.stream('hello').pipe(toAgUi(ids)));
        flush();
      });
      return (events.at(-1) as { usage?: unknown }).usage;
    };
    const first = {
      model: 'one',
      inputTokens: 117,
      outputTokens: 5,
      totalTokens: 122,
      cachedInputTokens: 100,
      cacheWriteInputTokens: 7,
    };
    expect(usageOf('two')).toEqual([first, { model: 'two', inputTokens: 3, outputTokens: 1, totalTokens: 4 }]);
    expect(usageOf('one')).toEqual([{ ...first, inputTokens: 120, outputTokens: 6, totalTokens: 126 }]);
  });
});

describe('the operator', () => {
  it('holds no state: each subscription is a run of its own', () => {
    const operator = toAgUi();
    const service = aiService({ model: scriptedModel([['a'], ['b']]) });
    const [one, two] = ['x', 'y'].map((question) => told(service.stream(question).pipe(operator)));
    for (const events of [one!, two!]) expectVerified(events);
    expect((one![0] as { runId: string }).runId).not.toBe((two![0] as { runId: string }).runId);
  });

  it('stops the invocation when it is left, in the middle of a synchronous answer too', () => {
    const model = scriptedModel([['a', 'b', 'c']]);
    const service = aiService({ model });
    expect(
      told(service.stream('hello').pipe(toAgUi(ids), take(4)))
        .map(({ type }) => type)
        .at(-1),
    ).toBe('TEXT_MESSAGE_CONTENT');
    expect(told(service.stream('hello').pipe(toAgUi(ids), take(1)))).toHaveLength(1);
    expect(model.requests).toHaveLength(1);
  });

  it('takes a stream that ends without its last event', () => {
    expect(outline(told(from([]).pipe(toAgUi(ids))))).toEqual(['RUN_STARTED', 'RUN_FINISHED success']);
  });

  it('refuses options that can not work', () => {
    expect(() => toAgUi({ thread: 'x' } as never)).toThrow(ConfigurationError);
    expect(() => toAgUi({ threadId: '' })).toThrow(/threadId/);
    expect(() => toAgUi({ messages: 'x' as never })).toThrow(/messages/);
    expect(() => toAgUi({ interrupts: 1 as never })).toThrow(/interrupts/);
  });
});
