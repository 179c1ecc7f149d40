import { afterEach, describe, expect, it } from 'vitest';
import { ChatModelError } from '../../src/chat/chat-model-error.ts';
import { answering, came, completed, hostileWires, type HostileWire } from './hostile-wires.ts';
import { expectPlain, expectUnpolluted, hostileJson, hostileNames } from './prototypes.ts';

afterEach(expectUnpolluted);

const hostile = JSON.parse(hostileJson) as Record<string, unknown>;
const ask = (wire: HostileWire, ...events: readonly unknown[]) => came(wire, answering(wire, [...events, ...wire.end()]));

describe.each(hostileWires)('a server of $provider', (wire) => {
  it.each(hostileNames)('may call a tool %s, by an id of that name: it is a name like any other', async (name) => {
    const answer = await ask(wire, ...wire.call({ id: name, name }, 0), ...wire.call({ id: name, name: 'other' }, 1));
    expect(answer.error).toBeUndefined();
    const [first, second] = completed(answer);
    expect(first).toEqual({ id: name, name, arguments: '{}' });
    expect(second?.name).toBe('other');
    expect(second?.id).not.toBe(name);
    expect(answer.events.at(-1)).toMatchObject({ response: { aiMessage: { toolExecutionRequests: [first, second] } } });
  });

  it('may write arguments that would pollute: they stay the text that they are', async () => {
    const answer = await ask(wire, ...wire.call({ id: 'a', name: 't', pieces: [hostileJson] }, 0));
    expect(completed(answer)).toEqual([{ id: 'a', name: 't', arguments: hostileJson }]);
    answer.events.forEach(expectPlain);
  });

  it.each([...hostileNames, -1, 1.5, 4_294_967_295, 4_294_967_296, 1e308, {}, [], true])(
    'may count its calls by %j: the pieces of a call stay together',
    async (index) => {
      const pieces = ['{"n":', '1}'];
      const answer = await ask(
        wire,
        ...wire.call({ index, id: 'a', name: 't', pieces }, 0),
        ...wire.call({ index, id: 'b', name: 'u', pieces: ['{"n":', '2}'] }, 1),
      );
      expect(completed(answer)).toEqual([
        { id: 'a', name: 't', arguments: '{"n":1}' },
        { id: 'b', name: 'u', arguments: '{"n":2}' },
      ]);
    },
  );

  it('may end its turn with such a word: it is one that is not known', async () => {
    for (const word of hostileNames) {
      const [end] = wire.end();
      const odd = JSON.parse(JSON.stringify(end).replace(/"(tool_calls|tool_use|STOP|stop|completed)"/, `"${word}"`)) as object;
      const answer = await came(wire, answering(wire, [...wire.text('hello'), odd, ...wire.end().slice(1)]));
      const { response } = answer.events.at(-1) as { response?: { finishReason?: unknown } };
      if (!answer.error) expect(['stop', 'other']).toContain(response?.finishReason);
    }
  });

  it.each(['usage', 'usageMetadata', 'metadata', 'delta', 'item', 'message', 'response', '__proto__', 'constructor'])(
    'may put hostile objects into %s of every event: none of it comes through',
    async (field) => {
      const events = [...wire.text('hello'), ...wire.end()].map((event) =>
        typeof event === 'string' ? event : JSON.stringify({ ...(event as object), [`@${field}`]: hostile }).replace('"@', '"'),
      );
      const answer = await came(wire, answering(wire, events));
      for (const event of answer.events) if (event.type !== 'raw') expectPlain(event);
      expect(answer.events.length + (answer.error ? 1 : 0)).toBeGreaterThan(0);
    },
  );

  it('may fail with hostile words: the error says what can be said', async () => {
    const answer = await came(
      wire,
      answering(wire, wire.failure({ ...hostile, message: 'no', type: '__proto__', code: 'constructor' })),
    );
    expect(answer.error?.message).toContain('no');
    expect(answer.error).toBeInstanceOf(ChatModelError);
    expect(Object.getPrototypeOf(answer.error)).toBe(ChatModelError.prototype);
  });
});

it('the reasoning that a server sends in pieces keeps its own prototype', async () => {
  const [wire] = hostileWires;
  const piece = (details: string) => `{"choices":[{"index":0,"delta":{"reasoning_details":[${details}]}}]}`;
  const answer = await ask(
    wire!,
    piece('{"index":0,"type":"reasoning.text","text":"a"}'),
    piece('{"index":0,"type":"reasoning.text","text":"b","__proto__":{"signature":"forged"}}'),
    piece('{"index":0,"type":"reasoning.text","text":"c"}'),
    ...wire!.text('hello'),
    ...wire!.call({ id: 'a', name: 't' }, 0),
  );
  const { response } = answer.events.at(-1) as unknown as {
    response: { aiMessage: { attributes: { reasoningDetails: object[] } } };
  };
  const [block] = response.aiMessage.attributes.reasoningDetails;
  expectPlain(block);
  expect(block).toMatchObject({ text: 'abc' });
  expect(block).not.toHaveProperty('signature');
});
