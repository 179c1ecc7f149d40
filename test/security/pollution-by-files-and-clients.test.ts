import { firstValueFrom, lastValueFrom, toArray } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { fromAgUiInput } from '../../src/ag-ui/from-ag-ui-input.ts';
import { aiService } from '../../src/index.ts';
import { cassetteModel } from '../../src/testing/cassette/cassette-model.ts';
import { parseCassette } from '../../src/testing/cassette/parse-cassette.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { parseTimeline, renderAscii, renderSvg } from '../../src/timeline/index.ts';
import type { Timeline } from '../../src/timeline/timeline.ts';
import { fromUiMessages } from '../../src/ui-message-stream/from-ui-messages.ts';
import { samples } from '../timeline/samples.ts';
import { expectPlain, expectUnpolluted, hostileJson, hostileNames } from './prototypes.ts';

afterEach(expectUnpolluted);

const nothing = { defaultValue: undefined };
/** A copy with the hostile keys, as parsed JSON has them, in each of its objects. */
function infested(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(infested);
  const copy = JSON.parse(hostileJson) as object;
  for (const [key, inner] of Object.entries(value))
    Object.defineProperty(copy, key, { value: infested(inner), enumerable: true, configurable: true, writable: true });
  return copy;
}

describe('a file', () => {
  it.each(Object.entries(samples))('of a timeline is read and drawn without what is hostile in it: %s', (_, sample) => {
    const timeline = JSON.parse(JSON.stringify(sample().timeline)) as Timeline;
    const read = parseTimeline(infested(timeline));
    expect(read).toEqual(timeline);
    expectPlain(read);
    expect(renderSvg(read)).toBe(renderSvg(timeline));
    expect(renderAscii(read)).toBe(renderAscii(timeline));
  });

  it.each(hostileNames)('of a timeline may name its calls and rounds %s', (name) => {
    const timeline = samples.concurrentTools().timeline;
    const named = { ...timeline, calls: timeline.calls.map((call) => ({ ...call, id: name, name })) };
    expect(renderSvg(parseTimeline(named))).toContain('</svg>');
  });

  it('of a cassette is replayed as it is, and changes nothing else', async () => {
    const request = { messages: [{ role: 'user', contents: [{ type: 'text', text: 'x' }] }] };
    const response = { aiMessage: { role: 'assistant', text: 'hello', toolExecutionRequests: [] }, finishReason: 'stop' };
    const cassette = {
      version: 1,
      provider: 'p',
      recordedAt: '2026-01-01T00:00:00.000Z',
      exchanges: [
        {
          request,
          events: [
            { at: 0, type: 'partialResponse', text: 'hello' },
            { at: 0, type: 'completeResponse', response },
          ],
          end: { at: 0, how: 'complete' },
        },
      ],
    };
    const [exchange] = cassette.exchanges;
    const read = parseCassette({ ...cassette, exchanges: [{ ...(infested(exchange) as object), request }] });
    expectPlain(read);
    const model = cassetteModel(read);
    const asked = request as Parameters<typeof model.chat>[0];
    const events = await lastValueFrom(model.chat(asked).pipe(toArray()), { defaultValue: [] });
    events.forEach(expectPlain);
    expect(events.at(-1)).toMatchObject({ type: 'completeResponse' });
  });
});

describe('a client', () => {
  it('of AG-UI may post hostile keys anywhere: what it may not set is not set', () => {
    const call = { id: '__proto__', type: 'function', function: { name: 'constructor', arguments: hostileJson } };
    const input = {
      threadId: '__proto__',
      runId: 'constructor',
      messages: [
        { id: 'toString', role: 'assistant', toolCalls: [call] },
        { id: '__proto__', role: 'tool', toolCallId: '__proto__', content: 'done' },
        { id: 'u', role: 'user', content: 'hello' },
      ],
      tools: [{ name: '__proto__', description: '', parameters: {} }],
      state: { page: 1 },
      forwardedProps: { theme: 'dark' },
    };
    const read = fromAgUiInput(infested(input));
    expectPlain(read);
    expect(read.messages).toMatchObject([{ role: 'assistant' }, { role: 'tool', id: '__proto__', toolName: 'constructor' }]);
    expect(Object.keys(read.parameters).sort()).toEqual(['forwardedProps', 'state']);
    expect(read.threadId).toBe('__proto__');
  });

  it('of the AI SDK may post hostile keys anywhere, too', () => {
    const part = { type: 'tool-__proto__', toolCallId: '__proto__', state: 'output-available', input: {}, output: {} };
    const messages = [
      { id: 'a', role: 'assistant', parts: [{ type: 'step-start' }, part, { type: 'text', text: 'hello' }] },
      { id: 'u', role: 'user', parts: [{ type: 'text', text: 'hello' }] },
    ];
    const read = fromUiMessages(infested(messages));
    expectPlain(read);
    expect(read.messages[0]).toMatchObject({ toolExecutionRequests: [{ id: '__proto__', name: '__proto__' }] });
  });
});

describe('an answer', () => {
  const output = z.looseObject({ kept: z.number(), inner: z.looseObject({}) });

  it('that is an object has no hostile key, while it grows and when it is whole', async () => {
    const service = aiService({ model: scriptedModel([[hostileJson]]), output });
    for (const value of await lastValueFrom(service.partial('x').pipe(toArray()), { defaultValue: [] })) expectPlain(value);
    const other = aiService({ model: scriptedModel([[hostileJson]]), output });
    const { content } = (await firstValueFrom(other.result('x'), nothing))!;
    expectPlain(content);
    expect(content).toMatchObject({ kept: 1 });
  });

  it('tells of its parameters by a Map, whatever their names are', async () => {
    const seen: unknown[] = [];
    const service = aiService({
      model: scriptedModel([['hello']]),
      systemMessage: ({ parameters }) => {
        seen.push(parameters.get('constructor'), parameters.get('toString'));
        return 'x';
      },
    });
    const parameters = JSON.parse('{"__proto__":{"polluted":1},"constructor":1}') as Record<string, unknown>;
    await firstValueFrom(service.result('x', { parameters }), nothing);
    expect(seen).toEqual([1, undefined]);
  });
});
