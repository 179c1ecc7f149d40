import 'node:process';
import { from, lastValueFrom, of, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { aiService, executorTool, tool, type ChatModel, type ChatModelEvent } from '../../src/index.ts';
import { wireName } from '../../src/provider/wire-name.ts';
import { keptLogs } from '../service/support.ts';
import { answering, came, completed, framed, hostileWires } from './hostile-wires.ts';

const nothing = { defaultValue: undefined };

function* repeated<T>(count: number, make: (place: number) => Iterable<T>, behind: Iterable<T>): Generator<T> {
  for (let place = 0; place < count; place++) yield* make(place);
  yield* behind;
}

// What costs more for each one the more there are would not come to its end within the time of a test.
describe.each(hostileWires)('a turn of $provider', (wire) => {
  it('may have ten thousand calls, each with its own id', async () => {
    const calls = repeated(10_000, (place) => wire.call({ id: 'same', name: 't' }, place), wire.end());
    const answer = await came(wire, answering(wire, calls));
    // One that repeats another with its id, as these wires do, is no second one.
    const isRepeated = wire.provider === 'gemini' || wire.provider === 'ollama';
    expect(answer.error).toBeUndefined();
    expect(completed(answer).length).toBe(isRepeated ? 1 : 10_000);
    expect(new Set(completed(answer).map(({ id }) => id)).size).toBe(completed(answer).length);
  });

  it('is refused at the next one, however many there were to come', async () => {
    let told = 0;
    const calls = repeated(1_000_000, (place) => ((told = place), wire.call({ id: `c${place}`, name: 't' }, place)), wire.end());
    // A server that is read as it writes.
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const next = calls.next();
        if (next.done) controller.close();
        else controller.enqueue(encoder.encode(framed(wire, next.value)));
      },
    });
    const answer = await came(wire, () => Promise.resolve(new Response(body)));
    expect(answer.error).toMatchObject({ kind: 'malformedResponse', retryable: false });
    expect(answer.error?.message).toMatch(/: the answer has more than 10000 tool calls$/);
    expect(told).toBeLessThan(10_100);
  });

  it('may tell the arguments of a call in a hundred thousand pieces', async () => {
    const pieces = ['{"a":"', ...Array<string>(100_000).fill('xy'), '"}'];
    const answer = await came(wire, answering(wire, [...wire.call({ id: 'a', name: 't', pieces }, 0), ...wire.end()]));
    expect(completed(answer)).toEqual([{ id: 'a', name: 't', arguments: pieces.join('') }]);
  });

  it('may name a tool in ten million letters, which no request carries back', async () => {
    const name = 't'.repeat(10_000_000);
    const answer = await came(wire, answering(wire, [...wire.call({ id: 'a', name }, 0), ...wire.end()]));
    expect(completed(answer)[0]?.name.length).toBe(name.length);
    expect(wireName(name).length).toBeLessThanOrEqual(64);
  });
});

const inOneEvent = (make: (place: number) => object) => Array.from({ length: 100_000 }, (_, place) => make(place));
// With numbers that have to be looked up in the text of the event.
const args = { n: 2 ** 70 };

it.each([
  [
    'openai-chat',
    {
      choices: [
        { delta: { tool_calls: inOneEvent((index) => ({ index, id: `c${index}`, function: { name: 't', arguments: args } })) } },
      ],
    },
  ],
  [
    'gemini',
    { candidates: [{ content: { parts: inOneEvent((place) => ({ functionCall: { id: `c${place}`, name: 't', args } })) } }] },
  ],
  ['ollama', { message: { tool_calls: inOneEvent((place) => ({ id: `c${place}`, function: { name: 't', arguments: args } })) } }],
])('one event of %s may have a hundred thousand calls, and is read once', async (provider, event) => {
  const wire = hostileWires.find((known) => known.provider === provider)!;
  const answer = await came(wire, answering(wire, [event, ...wire.end()]));
  expect(answer.error?.message).toMatch(/more than 10000 tool calls/);
});

it.each([
  ['one after the other', Array.from({ length: 100 }, (_, place) => `$.a${place}[9999]`)],
  ['one in the other', [`$.a${'[9999]'.repeat(10_000)}`]],
  ['out of order', ['$.a[0]', '$.b[0]', ...Array.from({ length: 100 }, (_, place) => `$.a[1]${'[9999]'.repeat(place + 1)}`)]],
])('the paths by which Gemini streams arguments make no long text of a short one: %s', async (_, paths) => {
  const wire = hostileWires.find(({ provider }) => provider === 'gemini')!;
  const call = { name: 't', partialArgs: paths.map((jsonPath) => ({ jsonPath, numberValue: 1 })) };
  const answer = await came(
    wire,
    answering(wire, [{ candidates: [{ content: { parts: [{ functionCall: call }] } }] }, ...wire.end()]),
  );
  expect(answer.error).toMatchObject({
    kind: 'malformedResponse',
    cause: { message: expect.stringMatching(/left out/) as string },
  });
  expect(JSON.stringify(answer.events).length).toBeLessThan(200_000);
});

/** A model that is not one of ours, and emits as many calls as it likes, at once. */
const floodModel = (count: number, argumentsOf = () => '{}'): ChatModel => {
  let isAsked = false;
  return {
    provider: 'flood',
    chat: (): Observable<ChatModelEvent> => {
      const requests = isAsked
        ? []
        : Array.from({ length: count }, (_, i) => ({ id: `c${i}`, name: 't', arguments: argumentsOf() }));
      isAsked = true;
      const aiMessage = { role: 'assistant', text: 'done', toolExecutionRequests: requests } as const;
      return from<ChatModelEvent[]>([
        ...requests.map((request, index) => ({ type: 'completeToolCall', index, request }) as const),
        {
          type: 'completeResponse',
          response: { aiMessage, finishReason: requests.length > 0 ? 'toolExecution' : 'stop' },
        },
      ]);
    },
  };
};

describe('an invocation', () => {
  it('takes thirty thousand calls of one turn, each of them once', async () => {
    let runs = 0;
    const service = aiService({ model: floodModel(30_000), tools: [tool({ name: 't', execute: () => ++runs })] });
    const result = await lastValueFrom(service.result('x'), nothing);
    expect(runs).toBe(30_000);
    expect(result?.toolExecutions.length).toBe(30_000);
  });

  it('runs no more of a million calls than its limit says', async () => {
    let runs = 0;
    const service = aiService({
      model: floodModel(1_000_000),
      tools: [tool({ name: 't', execute: () => ++runs })],
      limits: { toolCalls: 10 },
      logger: keptLogs(),
    });
    await expect(lastValueFrom(service.result('x'), nothing)).rejects.toMatchObject({ name: 'LimitExceededError' });
    expect(runs).toBe(10);
  });

  it('tells of a tool that there is not without its ten million letters', async () => {
    const name = 't'.repeat(10_000_000);
    const model: ChatModel = {
      ...floodModel(0),
      chat: () => {
        const request = { id: 'a', name, arguments: '{}' };
        const aiMessage = { role: 'assistant', text: null, toolExecutionRequests: [request] } as const;
        return of<ChatModelEvent[]>(
          { type: 'completeToolCall', index: 0, request },
          { type: 'completeResponse', response: { aiMessage } },
        );
      },
    };
    const service = aiService({
      model,
      tools: [executorTool({ name: 'u', parameters: {} }, () => ({ contents: [], isError: false }))],
    });
    const failure = await lastValueFrom(service.result('x'), nothing).catch((error: unknown) => error as Error);
    expect(failure).toMatchObject({ name: 'UnknownToolError' });
    expect((failure as Error).message.length).toBeLessThan(1000);
  });
});
