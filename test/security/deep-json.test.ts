import 'node:process';
import { firstValueFrom, lastValueFrom, of, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { fromAgUiInput } from '../../src/ag-ui/from-ag-ui-input.ts';
import {
  aiService,
  executorTool,
  messageWindowMemory,
  parseMessages,
  tool,
  type ChatMessage,
  type Tool,
} from '../../src/index.ts';
import { ChatModelError } from '../../src/chat/chat-model-error.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { cassetteModel } from '../../src/testing/cassette/cassette-model.ts';
import { recordCassette } from '../../src/testing/cassette/record-cassette.ts';
import { parseTimeline, recordTimeline, renderSvg } from '../../src/timeline/index.ts';
import { fromUiMessages } from '../../src/ui-message-stream/from-ui-messages.ts';
import { toSseResponse } from '../../src/sse-response/to-sse-response.ts';
import { keptLogs } from '../service/support.ts';
import { answering, came, hostileWires, modelOf } from './hostile-wires.ts';

const levels = 100_000;
const lists = '['.repeat(levels) + ']'.repeat(levels);
const objects = '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
const deep = (text = objects): never => JSON.parse(text) as never;

const failedCall = { toolExecutions: [{ hasFailed: true, result: expect.stringContaining('The arguments of t ') as string }] };

/** How an invocation ends, which it does once. */
async function ends(tools: readonly Tool[], written: string, more: object = {}): Promise<unknown> {
  let ended = 0;
  const model = scriptedModel(['A|', '-z|'], { calls: { A: { name: 't', arguments: written } } });
  const service = aiService({ model, tools, logger: keptLogs(), ...more });
  service.events$.subscribe({
    next: ({ type }) => (ended += ['completed', 'error', 'cancelled'].includes(type) ? 1 : 0),
    error: expect.fail,
  });
  const outcome = await firstValueFrom(service.result('x'), { defaultValue: undefined }).catch((error: unknown) => error);
  expect(ended).toBe(1);
  return outcome;
}

describe.each([
  ['lists', `{"a":${lists}}`],
  ['objects', objects],
])('arguments of a hundred thousand levels, of %s,', (_, written) => {
  it.each<readonly [string, unknown]>([
    ['a loose zod object', z.looseObject({})],
    ['any value in zod', z.object({ a: z.unknown() })],
    ['a list of anything in zod', z.object({ a: z.array(z.any()) })],
    ['JSON in zod', z.object({ a: z.json() })],
    ['a JSON Schema', { type: 'object', properties: { a: {} } }],
    ['a JSON Schema that holds itself', { type: 'object', properties: { a: { $ref: '#' } } }],
    ['no parameters', undefined],
  ])('end an invocation well or with an error: %s', async (__, parameters) => {
    const options = { name: 't', execute: () => 'ran', ...(parameters !== undefined && { parameters: parameters as never }) };
    const outcome = await ends([tool(options)], written);
    expect(outcome).not.toBeInstanceOf(RangeError);
  });

  it('switch off no check: not for themselves, nor for what comes after them', async () => {
    const ran: unknown[] = [];
    const parameters = { type: 'object', properties: { a: { $ref: '#' }, n: { type: 'number' } } };
    const service = tool({ name: 't', parameters, execute: (args) => void ran.push(args) });
    for (const text of [written, '{"n":"no number"}']) expect(await ends([service], text)).toMatchObject(failedCall);
    expect(ran).toEqual([]);
    await ends([service], '{"n":1}');
    expect(ran).toEqual([{ n: 1 }]);
  });

  it('are only text to an executor', async () => {
    const raw = executorTool({ name: 't', parameters: {} }, ({ arguments: text }) => ({
      contents: [{ type: 'text', text: String(text.length) }],
      isError: false,
    }));
    expect(await ends([raw], written)).toMatchObject({ toolExecutions: [{ result: String(written.length) }] });
  });

  it('count for the limit of identical calls', async () => {
    const options = { name: 't', execute: () => 'ran' };
    expect(await ends([tool(options)], written, { limits: { identicalToolCalls: 1 } })).toMatchObject({ content: 'z' });
  });
});

describe('a result of a hundred thousand levels', () => {
  it('is told to the model as far as anybody reads it', async () => {
    const outcome = await ends([tool({ name: 't', execute: () => deep() as object })], '{}');
    const [execution] = (outcome as { toolExecutions: { result: string }[] }).toolExecutions;
    expect(execution?.result).toContain('[Deep]');
    expect(execution!.result.length).toBeLessThan(1000);
  });

  it('is recorded in a timeline, and sent to a client', async () => {
    const model = scriptedModel(['A|', '-z|'], { calls: { A: { name: 't' } } });
    const recorder = recordTimeline();
    const service = aiService({ model, tools: [tool({ name: 't', execute: () => of(deep() as object) })] });
    const events = await lastValueFrom(service.stream('x').pipe(recorder.watch(), toArray()), { defaultValue: [] });
    expect(renderSvg(recorder.timeline())).toContain('</svg>');
    expect(await toSseResponse(of(...events)).text()).toContain('[Deep]');
  });
});

describe.each(hostileWires)('a stream of $provider', (wire) => {
  it.each([
    ['for an event', lists],
    ['for a field of one', `{"x":${lists},"y":${objects}}`],
    ['for a call', JSON.stringify(wire.call({ id: 'a', name: 't', pieces: ['{"a":"DEEP"}'] }, 0).at(-1))],
    ['for an error', JSON.stringify(wire.failure({ message: { text: 'DEEP' }, detail: 'DEEP', type: 'DEEP', code: 'DEEP' })[0])],
    ['for usage', `{"usage":${objects},"usageMetadata":${objects},"choices":[],"type":"message_delta"}`],
    ['for a block', `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","name":"t","input":${objects}}}`],
    ['for an unknown block', `{"type":"content_block_start","index":0,"content_block":{"type":"x","input":${objects}}}`],
    ['for an item', `{"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","summary":${lists}}}`],
  ])('that has a hundred thousand levels %s fails with a typed error or not at all', async (_, event) => {
    const text = event.replaceAll('"DEEP"', objects).replaceAll('\\"DEEP\\"', objects.replaceAll('"', '\\"'));
    const answer = await came(wire, answering(wire, [text, ...wire.text('hello'), ...wire.end()]));
    if (answer.error) expect(answer.error).toBeInstanceOf(ChatModelError);
    else expect(answer.events.filter(({ type }) => type === 'completeResponse')).toHaveLength(1);
    expect(answer.error?.message.length ?? 0).toBeLessThan(15_000);
  });

  it('is never asked with a history that is too deep to be written: the error says so', async () => {
    const attributes = Object.fromEntries(
      ['anthropic', 'gemini', 'responses', 'reasoningDetails', 'openai'].map((key) => [key, [{ type: 'kept', part: deep() }]]),
    );
    const messages = [
      { role: 'user', contents: [{ type: 'text', text: 'x' }] },
      { role: 'assistant', text: 'y', toolExecutionRequests: [], attributes },
    ] as unknown as readonly ChatMessage[];
    const memory = messageWindowMemory({ maxMessages: 10 });
    await memory.set(parseMessages(messages));
    const model = modelOf(wire, { fetch: answering(wire, [...wire.text('hello'), ...wire.end()]) });
    const service = aiService({ model, chatMemory: memory });
    const outcome = await firstValueFrom(service.result('x'), { defaultValue: undefined }).catch((error: unknown) => error);
    if (outcome instanceof Error) expect(outcome).toMatchObject({ name: 'ChatModelError', kind: 'invalidRequest' });
    else expect(outcome).toMatchObject({ content: 'hello' });
  });
});

describe('what is a hundred thousand levels deep', () => {
  const isReadOrRefused = (read: () => unknown) => {
    try {
      read();
    } catch (error) {
      expect(error).not.toBeInstanceOf(RangeError);
      expect((error as Error).message.length).toBeLessThan(2000);
    }
  };

  it('is no history, no timeline, and nothing that a client may post, or it is kept as it is', () => {
    isReadOrRefused(() => parseMessages(deep(lists)));
    isReadOrRefused(() => parseMessages([{ role: 'user', contents: deep(lists) }]));
    isReadOrRefused(() => parseMessages([{ role: 'assistant', text: null, toolExecutionRequests: [], attributes: deep() }]));
    isReadOrRefused(() => parseTimeline(deep()));
    isReadOrRefused(() => parseTimeline({ version: deep() }));
    isReadOrRefused(() => parseTimeline({ version: 1, calls: deep(lists) }));
    isReadOrRefused(() => fromUiMessages(deep(lists)));
    isReadOrRefused(() => fromUiMessages([{ id: 'u', role: 'user', parts: [{ type: 'text', text: deep() }] }]));
    const input = { threadId: 't', runId: 'r', messages: [{ id: 'u', role: 'user', content: 'hello' }] };
    for (const field of ['state', 'forwardedProps', 'context', 'tools', 'resume', 'messages', 'threadId'])
      isReadOrRefused(() => fromAgUiInput({ ...input, [field]: deep(lists) }));
  });

  it('goes on a tape and off it again, or is refused with an error of the cassette', async () => {
    const request = (inner: unknown) => ({ messages: [], providerOptions: { inner } }) as never;
    const model = recordCassette(scriptedModel(['-z|', '-z|']));
    const answer = await lastValueFrom(model.chat(request(deep())).pipe(toArray()), { defaultValue: [] }).catch(
      (error: unknown) => error,
    );
    expect(answer).not.toBeInstanceOf(RangeError);
    isReadOrRefused(() => model.cassette());
    isReadOrRefused(() => cassetteModel(deep()));
    isReadOrRefused(() => cassetteModel({ version: 1, provider: 'p', recordedAt: deep(), exchanges: deep(lists) } as never));
  });
});

it('an object that is asked for may be too deep: the invocation ends once, and not with a crash', async () => {
  for (const schema of [z.looseObject({ a: z.unknown() }), z.object({ a: z.json() })]) {
    const outcome = await firstValueFrom(
      aiService({ model: scriptedModel([[objects], [objects], [objects]]), output: schema }).result('x'),
      { defaultValue: undefined },
    ).catch((error: unknown) => error);
    expect(outcome).not.toBeInstanceOf(RangeError);
    const partial = await lastValueFrom(
      aiService({ model: scriptedModel([[objects], [objects], [objects]]), output: schema }).partial('x'),
      { defaultValue: undefined },
    ).catch((error: unknown) => error);
    expect(partial).not.toBeInstanceOf(RangeError);
  }
});
