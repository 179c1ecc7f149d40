import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';
import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../../src/chat/configuration-error.ts';
import { anthropic } from '../../../src/provider/anthropic/anthropic.ts';
import { cacheMarks, type CacheControl } from '../../../src/provider/anthropic/prompt-cache.ts';
import { assistant, bodyOf, result, user } from './bodies.ts';

const tool = (name: string) => ({ name, parameters: { type: 'object', properties: {} } });
const inputSchema = { type: 'object', properties: {} } as const;
const request = {
  messages: [
    { role: 'system', text: 'Be kind.' },
    { role: 'system', text: 'Be short.' },
    user('Rain?'),
    assistant(null, [
      { id: 'a', name: 'one', arguments: '{}' },
      { id: 'b', name: 'two', arguments: '{}' },
    ]),
    result('a', 'one', 'yes'),
    result('b', 'two', 'no'),
  ],
  toolSpecifications: [tool('one'), tool('two')],
} as const;

const bodyWith = (cacheControl: boolean | CacheControl | undefined) => bodyOf(request, cacheMarks('anthropic', cacheControl));
/** Where a mark stands. */
const placesIn = (body: unknown) => {
  const { system, tools, messages } = body as Record<'system' | 'tools' | 'messages', object[]>;
  return Object.entries({ system, tools, messages }).flatMap(([place, items]) =>
    JSON.stringify(items).includes('cache_control') ? [place] : [],
  );
};

describe('prompt caching', () => {
  it('marks the last block of the system, of the tools and of the last message, where it is asked for', () => {
    const cache_control = { type: 'ephemeral' } as const;
    const published: MessageCreateParamsStreaming = {
      model: 'm',
      max_tokens: 32_000,
      stream: true,
      system: [
        { type: 'text', text: 'Be kind.' },
        { type: 'text', text: 'Be short.', cache_control },
      ],
      tools: [
        { name: 'one', input_schema: inputSchema },
        { name: 'two', input_schema: inputSchema, cache_control },
      ],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Rain?' }] },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'a', name: 'one', input: {} },
            { type: 'tool_use', id: 'b', name: 'two', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'a', content: 'yes' },
            { type: 'tool_result', tool_use_id: 'b', content: 'no', cache_control },
          ],
        },
      ],
    };
    expect(bodyWith(true)).toEqual(published);
  });

  it.each<[boolean | CacheControl | undefined, readonly string[]]>([
    [undefined, []],
    [false, []],
    [true, ['system', 'tools', 'messages']],
    [{ ttl: '1h' }, ['system', 'tools', 'messages']],
    [{ system: true }, ['system']],
    [{ tools: true, lastMessage: true }, ['tools', 'messages']],
    [{ system: false, tools: true }, ['tools']],
    [{ system: false }, []],
  ])('marks what %j asks for', (cacheControl, places) => {
    expect(placesIn(bodyWith(cacheControl))).toEqual(places);
  });

  it('says how long it is kept', () => {
    const { tools } = bodyWith({ tools: true, ttl: '1h' }) as { tools: object[] };
    expect(tools[1]).toMatchObject({ cache_control: { type: 'ephemeral', ttl: '1h' } });
  });

  it('marks the last message of the user where the assistant spoke last', () => {
    const marks = cacheMarks('anthropic', { lastMessage: true });
    expect(bodyOf({ messages: [user('Count.'), assistant('1, 2,')] }, marks)['messages']).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Count.', cache_control: { type: 'ephemeral' } }] },
      { role: 'assistant', content: [{ type: 'text', text: '1, 2,' }] },
    ]);
  });

  it('marks nothing where there is nothing', () => {
    expect(bodyOf({ messages: [] }, cacheMarks('anthropic', true))).toEqual({
      model: 'm',
      max_tokens: 32_000,
      stream: true,
      messages: [],
    });
  });

  it('leaves no mark in what is sent later without it', () => {
    bodyWith(true);
    expect(placesIn(bodyWith(undefined))).toEqual([]);
  });

  it.each([
    ['yes', 'cacheControl is "yes"'],
    [{ all: true }, 'cacheControl: unknown option all'],
    [{ system: 1 }, 'cacheControl.system is 1'],
    [{ ttl: '2h' }, `cacheControl.ttl is "2h"; it must be '5m' or '1h'`],
  ])('can not be asked for by %j', (cacheControl, words) => {
    const make = () => anthropic({ modelName: 'm', cacheControl: cacheControl as CacheControl });
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(`anthropic: ${words}`);
  });
});
