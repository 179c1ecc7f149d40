import { describe, expect, it } from 'vitest';
import type { ChatRequest } from '../../src/chat/chat-request.ts';
import { hostileWires, answering, came } from '../security/hostile-wires.ts';
import { assistant, result, user } from './messages.ts';

/** A smile, cut in two. */
const [high, low] = ['\ud83d', '\ude00'];
const bent = `a${high}b${low}`;

const partsKeys = ['anthropicParts', 'geminiParts', 'responsesParts'];

/** Half a character wherever the caller, a tool or the model may have put one. */
const request: Partial<ChatRequest> = {
  messages: [
    { role: 'system', text: bent },
    user(bent),
    {
      role: 'user',
      contents: [
        { type: 'text', text: bent },
        { type: 'text', text: high },
      ],
    },
    assistant(
      bent,
      [
        // As JSON has it, and as it is.
        { id: bent, name: 'look', arguments: '{"a":"\\ud83d","b":"\\ude00","c":"\\\\ud83d"}' },
        { id: 'two', name: 'look', arguments: `{"a":"${high}","${low}":1}` },
        { id: 'three', name: bent, arguments: bent },
      ],
      { thinking: bent, attributes: Object.fromEntries(partsKeys.map((key) => [key, [{ type: 'kept', part: { text: bent } }]])) },
    ),
    result(bent, 'look', bent),
    result('two', 'look', bent, true),
    result('three', bent, JSON.stringify({ a: high })),
    user(low),
  ],
  toolSpecifications: [
    {
      name: 'look',
      description: bent,
      parameters: { type: 'object', description: bent, properties: { a: { type: 'string', enum: [bent] }, [high]: {} } },
    },
    { name: bent, description: 'bent', parameters: { type: 'object', properties: {} } },
  ],
  responseFormat: { type: 'json', name: 'answer', schema: { type: 'object', properties: { a: { description: bent } } } },
  stopSequences: [bent],
  providerOptions: { own: { a: bent }, [bent]: 1 },
};

const strings = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...strings(inner)]);
};

// Strict parsers refuse the whole request for half a character.
describe.each(hostileWires)('a request to $provider', (wire) => {
  it.each([
    ['with an answer in JSON', request],
    ['without tools', { ...request, toolSpecifications: [] }],
    ['as plain as can be', { messages: request.messages, toolSpecifications: request.toolSpecifications }],
  ] as const)('has no half of a character in it, wherever one was: %s', async (_, asked) => {
    const bodies: string[] = [];
    const fetch: typeof globalThis.fetch = (url, init) => {
      // As `fetch` sends it.
      bodies.push(new TextDecoder().decode(new TextEncoder().encode(init!.body as string)));
      return answering(wire, [...wire.text('hello'), ...wire.end()])(url, init);
    };
    const options = wire.provider === 'openai-responses' ? { stopSequences: undefined } : {};
    await came(wire, fetch, {}, { ...asked, ...options });
    expect(bodies).toHaveLength(1);
    const [body] = bodies as [string];
    const all = strings(JSON.parse(body));
    expect(all.join('\n')).toContain('a\ufffdb\ufffd');
    // The arguments of a call may be JSON in a text, in which a half that is escaped is its own affair.
    expect(all.filter((text) => /\p{Surrogate}/u.test(text))).toEqual([]);
  });
});
