// The AI SDK is read with Node's streams.
import 'node:process';
import { concat, from, identity, NEVER, of, retry, take } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { guardrail } from '../../src/chat/guardrail-result.ts';
import { aiService } from '../../src/service/ai-service.ts';
import type { AiServiceOptions } from '../../src/service/options.ts';
import type { AiServiceStreamingEvent } from '../../src/service/streaming-event.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import type { ScriptedAnswer } from '../../src/testing/scripted-answer.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { sequentialIds } from '../../src/testing/sequential-ids.ts';
import { tool } from '../../src/tool/tool.ts';
import { toUiMessageStream, type UiMessageChunk, type UiMessageStreamOptions } from '../../src/ui-message-stream/index.ts';
import { read } from './read.ts';

const symbols: Partial<Record<UiMessageChunk['type'], string>> = {
  start: 's',
  'start-step': '[',
  'finish-step': ']',
  'text-start': 'b',
  'text-delta': 't',
  'text-end': 'd',
  'reasoning-start': 'B',
  'reasoning-delta': 'r',
  'reasoning-end': 'D',
  'tool-input-available': 'A',
  'tool-output-available': 'a',
  'tool-output-error': 'e',
  'data-round-restarted': 'x',
  finish: 'f',
  abort: '!',
  error: '#',
};
const symbol = ({ type }: UiMessageChunk) => symbols[type] ?? '?';

const add = tool({
  name: 'add',
  parameters: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => ({ sum: a + b }),
});
const addCall = { call: 'add', arguments: { a: 1, b: 2 } };
const secret = 'password 12345';

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
afterEach(() => vi.restoreAllMocks());
const failing = (name: string) =>
  tool({
    name,
    execute() {
      throw new Error(secret);
    },
  });

function told(answers: readonly ScriptedAnswer[], options: Partial<AiServiceOptions> = {}, ui: UiMessageStreamOptions = {}) {
  const service = aiService({ model: scriptedModel(answers), idGenerator: sequentialIds(), ...options });
  return read(service.stream('Go').pipe(toUiMessageStream(ui)));
}

const dropping = { type: 'partialResponse', text: 'Half ' } as const;

describe('a UI message stream', () => {
  it('is told frame by frame: progress while a tool runs, each round a step', () => {
    runMarbles(({ model, tool, record }) => {
      const service = aiService({ model: model(['-~-t-A---|', '-z|']), tools: [tool('a', '--v|')] });
      record(service.stream('Go').pipe(toUiMessageStream()), symbol).toBe('s([Br)-(Dbt)-(dA)-aa-(][bt)(d]f|)');
    });
  });

  it('tells of a cancel with abort, and ends what was open', () => {
    runMarbles(({ model, record, at }) => {
      const running = aiService({ model: model(['-t---------|']) }).start('Go');
      at(3, () => running.cancel());
      record(running.events$.pipe(toUiMessageStream()), symbol).toBe('s([bt)-(d]!|)');
    });
  });

  it('tells with abort that it was cut off from outside', async () => {
    const { chunks } = await read(
      concat(aiService({ model: scriptedModel([['a', 'b']]) }).stream('Go'), NEVER).pipe(take(1), toUiMessageStream()),
    );
    expect(chunks.map(({ type }) => type)).toEqual([
      'start',
      'start-step',
      'text-start',
      'text-delta',
      'text-end',
      'finish-step',
      'abort',
    ]);
  });

  it('leaves the invocation when it is left, also in the middle of a synchronous one', () => {
    runMarbles(({ model, record, expectSubscriptions }) => {
      const endless = model(['-t-t-t-t-t-t|']);
      record(aiService({ model: endless }).stream('Go').pipe(toUiMessageStream()), symbol, '^---!').toBe('s([bt)-t');
      expectSubscriptions(endless).toBe('^---!');
    });
    const model = scriptedModel([['a', 'b', { call: 'add', arguments: { a: 1, b: 2 } }]]);
    const seen: string[] = [];
    aiService({ model, tools: [add] })
      .stream('Go')
      .pipe(toUiMessageStream(), take(4))
      .subscribe({ next: ({ type }) => seen.push(type), error: expect.unreachable });
    expect(seen).toEqual(['start', 'start-step', 'text-start', 'text-delta']);
  });

  it('can be subscribed to twice: each subscription tells of its own invocation', async () => {
    const service = aiService({ model: scriptedModel([['one'], ['two']]) });
    const chunks$ = service.stream('Go').pipe(toUiMessageStream());
    expect((await read(chunks$)).message.parts.at(-1)).toMatchObject({ text: 'one' });
    expect((await read(chunks$)).message.parts.at(-1)).toMatchObject({ text: 'two' });
  });

  it('refuses options that can not work, and names them', () => {
    expect(() => toUiMessageStream({ sendReasonings: true } as never)).toThrow(
      'toUiMessageStream: unknown option sendReasonings',
    );
    expect(() => toUiMessageStream({ sendSources: 'yes' as never })).toThrow('sendSources is "yes"; it must be true or false');
    expect(() => toUiMessageStream({ onError: 'oh' as never })).toThrow('onError is "oh"; it must be a function');
  });
});

describe("the AI SDK's reader makes a message of it", () => {
  it('of a text that streams', async () => {
    const { message, states, chunks } = await told([['Hello ', 'world']]);
    expect(message.parts).toMatchObject([{ type: 'step-start' }, { type: 'text', text: 'Hello world', state: 'done' }]);
    expect(states.map(({ parts }) => (parts.at(-1) as { text?: string }).text)).toContain('Hello ');
    expect(chunks.at(-1)).toEqual({ type: 'finish', finishReason: 'stop' });
  });

  it('of thoughts, which need not be told', async () => {
    const answer: ScriptedAnswer = [{ type: 'partialThinking', text: 'Hm. ' }, 'Yes.'];
    expect((await told([answer])).message.parts).toMatchObject([
      { type: 'step-start' },
      { type: 'reasoning', text: 'Hm. ', state: 'done' },
      { type: 'text', text: 'Yes.' },
    ]);
    expect((await told([answer], {}, { sendReasoning: false })).message.parts.map(({ type }) => type)).toEqual([
      'step-start',
      'text',
    ]);
  });

  it('of calls: arguments as they stream, what the tool returned as it is, and the answer in a step of its own', async () => {
    const partial = (partialArguments: string) =>
      ({ type: 'partialToolCall', index: 0, id: 'call-0', name: 'add', partialArguments }) as const;
    const answer: ScriptedAnswer = ['Let me see.', partial('{"a":1,'), partial('"b":2}'), addCall];
    const { message, states } = await told([answer, ['It is 3.']], { tools: [add] });
    expect(message.parts).toMatchObject([
      { type: 'step-start' },
      { type: 'text', text: 'Let me see.' },
      { type: 'tool-add', toolCallId: 'call-0', state: 'output-available', input: { a: 1, b: 2 }, output: { sum: 3 } },
      { type: 'step-start' },
      { type: 'text', text: 'It is 3.' },
    ]);
    const inputs = states.flatMap(({ parts }) => parts.flatMap((part) => ('input' in part ? [part.input] : [])));
    expect(inputs).toContainEqual({ a: 1 });
  });

  it('of concurrent calls, each with its own end, and a text behind them behind them', async () => {
    const { message } = await told([['a', addCall, { call: 'add', arguments: { a: 3, b: 4 } }, 'b'], ['c']], { tools: [add] });
    expect(message.parts.map((part) => ('output' in part ? part.output : 'text' in part ? part.text : part.type))).toEqual([
      'step-start',
      'a',
      { sum: 3 },
      { sum: 7 },
      'b',
      'step-start',
      'c',
    ]);
  });

  it('of dynamic tools, by the option', async () => {
    const { message } = await told([[addCall], ['3']], { tools: [add] }, { isDynamic: (name) => name === 'add' });
    expect(message.parts[1]).toMatchObject({
      type: 'dynamic-tool',
      toolName: 'add',
      state: 'output-available',
      output: { sum: 3 },
    });
  });

  it('of progress: a preliminary output, until there is the last', async () => {
    const counting = tool({ name: 'count', execute: () => of(1, 2, 3) });
    const { states } = await told([[{ call: 'count' }], ['Done.']], { tools: [counting] });
    const outputs = states.flatMap(({ parts }) =>
      parts.flatMap((part) =>
        part.type === 'tool-count' && part.state === 'output-available' ? [[part.output, part.preliminary]] : [],
      ),
    );
    expect(outputs.slice(0, 4)).toEqual([
      [1, true],
      [2, true],
      [3, true],
      [3, undefined],
    ]);
  });

  it('of progress that only looks like an event: a value as any other', async () => {
    const lookalike = {
      type: 'toolApprovalRequested',
      round: 1,
      invocation: {},
      request: { id: 'x', name: 'pay', arguments: '{}' },
    };
    const odd = tool({ name: 'odd', execute: () => from([lookalike, 'done']) });
    const { states, message } = await told([[{ call: 'odd' }], ['Done.']], { tools: [odd] });
    expect(JSON.stringify(states)).toContain('"preliminary":true');
    expect(message.parts.filter(({ type }) => type.startsWith('tool-'))).toMatchObject([{ type: 'tool-odd', output: 'done' }]);
  });

  it('of results that JSON has no word for', async () => {
    const odd = tool({ name: 'odd', execute: () => ({ big: 12n, when: new Date(0), map: new Map([['a', () => 1]]) }) });
    const nothing = tool({ name: 'nothing', execute: () => undefined });
    const none = tool({ name: 'none', execute: () => null });
    const { message } = await told([[{ call: 'odd' }, { call: 'nothing' }, { call: 'none' }], ['.']], {
      tools: [odd, nothing, none],
    });
    expect(message.parts.flatMap((part) => ('output' in part ? [part.output] : []))).toEqual([
      { big: '12', when: '1970-01-01T00:00:00.000Z', map: { a: expect.stringContaining('[Function') as string } },
      'Success',
      null,
    ]);
  });

  it('of a tool that fails, without its words', async () => {
    const answers = [[{ call: 'break' }], ['Sorry.']];
    const options = { tools: [failing('break')], toolExecutionErrorHandler: () => 'It is broken.' };
    const { message, chunks } = await told(answers, options);
    expect(message.parts[1]).toMatchObject({ state: 'output-error', errorText: 'An error occurred.' });
    expect(JSON.stringify(chunks)).not.toContain(secret);
    const open = await told(answers, options, { onError: (error) => error.message });
    expect(open.message.parts[1]).toMatchObject({ errorText: secret });
  });

  it('of arguments that no tool takes', async () => {
    const { message } = await told([[{ call: 'add', arguments: { a: 'one' } }], ['Sorry.']], { tools: [add] });
    expect(message.parts[1]).toMatchObject({ type: 'tool-add', state: 'output-error', rawInput: { a: 'one' } });
  });

  it('of an invocation that fails: an error without its words, and nothing left running', async () => {
    const { message, chunks, errors } = await told([[addCall, { call: 'break' }]], { tools: [add, failing('break')] });
    expect(chunks.at(-1)).toEqual({ type: 'error', errorText: 'An error occurred.' });
    expect(errors).toEqual([new Error('An error occurred.')]);
    expect(JSON.stringify(chunks)).not.toContain(secret);
    expect(message.parts.map((part) => ('state' in part ? part.state : ''))).toEqual(['', 'output-available', 'output-error']);
  });

  it('of an error whose text can not be made', async () => {
    const onError = () => {
      throw new Error(secret);
    };
    const { chunks } = await told([{ marbles: '#' }], {}, { onError });
    expect(chunks.at(-1)).toEqual({ type: 'error', errorText: 'An error occurred.' });
  });

  it.each([
    ['by the service', { roundRetries: 1 }, identity],
    ['by the subscriber', {}, retry<AiServiceStreamingEvent>(1)],
  ])(
    'of a round that broke and is asked again %s: its calls end, and a part tells the UI to drop its step',
    async (_, options, asked) => {
      const cut = { type: 'partialToolCall', index: 0, id: 'x', name: 'add', partialArguments: '{"a":' } as const;
      const events = { H: dropping, C: cut };
      const service = aiService({ model: scriptedModel(['HC#', 't|'], { events }), tools: [add], ...options });
      const { message } = await read(service.stream('Go').pipe(asked, toUiMessageStream()));
      expect(message.parts).toMatchObject([
        { type: 'step-start' },
        { type: 'text', text: 'Half ' },
        { type: 'tool-add', state: 'output-error' },
        { type: 'data-round-restarted', data: { round: 1, errorText: 'An error occurred.' } },
        { type: 'step-start' },
        { type: 'text', text: 't' },
      ]);
    },
  );

  it('of a call that was cut off: it ends with the answer', async () => {
    const cut = { type: 'partialToolCall', index: 0, id: 'x', name: 'add', partialArguments: '{"a":' } as const;
    const response = { aiMessage: { role: 'assistant', text: 'I', toolExecutionRequests: [] }, finishReason: 'length' } as const;
    const { message, chunks } = await told([['I', cut, { type: 'completeResponse', response }]], { tools: [add] });
    expect(message.parts[2]).toMatchObject({ type: 'tool-add', state: 'output-error' });
    expect(chunks.at(-1)).toEqual({ type: 'finish', finishReason: 'length' });
  });

  it('of structured output: the object is a part', async () => {
    const service = aiService({ model: scriptedModel([['{"city":', '"Rome"}']]), output: z.object({ city: z.string() }) });
    const { message } = await read(service.stream('Go').pipe(toUiMessageStream()));
    expect(message.parts.at(-1)).toEqual({ type: 'data-output', data: { city: 'Rome' } });
  });

  it('of an answer that guardrails hold back: its text comes when it has passed', async () => {
    const shout = () => guardrail.rewrite('HELLO');
    const { message } = await told([['hello']], { outputGuardrails: [shout] });
    expect(message.parts).toMatchObject([{ type: 'step-start' }, { type: 'text', text: 'HELLO' }]);
  });

  it('of a call that was not approved, and of one that was asked about by nobody', async () => {
    const send = tool({ name: 'send', needsApproval: true, execute: () => 'sent' });
    const service = aiService({ model: scriptedModel([[{ call: 'send' }], ['Fine.']]), tools: [send] });
    const running = service.start('Go');
    const decide = (event: AiServiceStreamingEvent) => {
      if (event.type === 'toolApprovalRequested') running.decideToolCall(event.request.id, { approved: false, reason: 'no' });
    };
    running.events$.subscribe({ next: decide, error: expect.unreachable });
    const chunks: UiMessageChunk[] = [];
    running.events$.pipe(toUiMessageStream()).subscribe({ next: (chunk) => chunks.push(chunk), error: expect.unreachable });
    expect(chunks).toContainEqual({ type: 'tool-approval-request', approvalId: `${running.id}/call-0`, toolCallId: 'call-0' });
    expect(chunks).toContainEqual({ type: 'tool-output-denied', toolCallId: 'call-0' });

    const approveToolExecution = () => true;
    const { message } = await told(
      [[{ call: 'send' }], ['Fine.']],
      { tools: [send], approveToolExecution },
      { sendApprovals: false },
    );
    expect(message.parts[1]).toMatchObject({ state: 'output-available', output: 'sent' });
    const refused = await told(
      [[{ call: 'send' }], ['Fine.']],
      { tools: [send], approveToolExecution: () => false },
      { sendApprovals: false },
    );
    expect(refused.message.parts[1]).toMatchObject({ state: 'output-error' });
  });

  it('of what was undone', async () => {
    const book = tool({ name: 'book', execute: () => 'booked', compensate: () => undefined });
    const options = { tools: [book, failing('pay')], compensateOnToolErrors: true };
    const { message } = await told([[{ call: 'book' }, { call: 'pay' }]], options);
    expect(message.parts).toContainEqual({
      type: 'data-tool-compensated',
      id: 'call-0',
      data: { toolCallId: 'call-0', toolName: 'book', reason: 'toolError' },
    });
  });

  it('of sources, where they are to be told', async () => {
    const contentRetriever = () => [
      { type: 'text' as const, text: `${'Long '.repeat(40)}\nand more` },
      { type: 'pdf' as const, url: 'https://example.org/a.pdf', name: 'a.pdf' },
      { type: 'image' as const, data: 'AAAA', mediaType: 'image/png' },
    ];
    expect((await told([['.']], { contentRetriever })).message.parts.length).toBe(2);
    const { message } = await told([['.']], { contentRetriever }, { sendSources: true });
    expect(message.parts.slice(0, 3)).toMatchObject([
      { type: 'source-document', mediaType: 'text/plain', title: expect.stringMatching(/^(Long )+.*…$/) as string },
      { type: 'source-url', url: 'https://example.org/a.pdf', title: 'a.pdf' },
      { type: 'source-document', mediaType: 'image/png' },
    ]);
  });

  it('with metadata and an id, as the options say', async () => {
    const response = {
      aiMessage: { role: 'assistant', text: 'Hi', toolExecutionRequests: [] },
      tokenUsage: { inputTokens: 3, outputTokens: 1 },
    } as const;
    const { message, chunks } = await told(
      [['Hi', { type: 'completeResponse', response }]],
      {},
      {
        messageId: 'answer-1',
        messageMetadata: (event) =>
          event.type === 'finalResponse'
            ? { usage: event.response.tokenUsage }
            : event.type === 'partialResponse'
              ? { begun: true }
              : null,
      },
    );
    expect(message).toMatchObject({ id: 'answer-1', metadata: { begun: true, usage: { inputTokens: 3, outputTokens: 1 } } });
    expect(chunks.at(-1)).toMatchObject({ type: 'finish', messageMetadata: { usage: { inputTokens: 3 } } });
  });

  it('of metadata that throws: as if there was none, and the developer is told once', async () => {
    const messageMetadata = () => {
      throw new Error(secret);
    };
    const { chunks } = await told([['Hi', 'you']], {}, { messageMetadata });
    expect(chunks.at(-1)).toEqual({ type: 'finish', finishReason: 'stop' });
    expect(chunks.filter(({ type }) => type === 'text-delta')).toHaveLength(2);
    expect(console.error).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('messageMetadata'), expect.any(Error));
  });

  it('of a service that is a tool: what it does inside is not told', async () => {
    const inner = aiService({ model: scriptedModel([['inner words']]), name: 'inner' });
    const { chunks } = await told([[{ call: 'ask', arguments: { input: 'x' } }], ['.']], {
      tools: [inner.asTool({ name: 'ask', description: 'Asks' })],
    });
    expect(JSON.stringify(chunks)).not.toContain('invocationId');
    expect(chunks).toContainEqual(expect.objectContaining({ type: 'tool-output-available', output: 'inner words' }));
  });
});
