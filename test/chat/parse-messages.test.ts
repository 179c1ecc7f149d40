import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMessages } from '../../src/chat/parse-messages.ts';
import type { ChatMessage } from '../../src/chat/message.ts';
import { anyMessages } from './arbitrary-messages.ts';

const detour = (messages: readonly ChatMessage[]): readonly ChatMessage[] => parseMessages(JSON.parse(JSON.stringify(messages)));

const user = (...contents: unknown[]) => [{ role: 'user', contents }];
const assistant = (patch: object) => [{ role: 'assistant', text: null, toolExecutionRequests: [], ...patch }];
const result = (patch: object) => [{ role: 'tool', id: 'a', toolName: 'x', contents: [], isError: false, ...patch }];

describe('a history through JSON and back', () => {
  it('[G46] keeps every kind of message and content, with the attributes that a provider needs back', () => {
    const history: readonly ChatMessage[] = [
      { role: 'system', text: 'Be brief.' },
      {
        role: 'user',
        contents: [
          { type: 'text', text: 'Look:' },
          { type: 'image', data: 'aGk=', mediaType: 'image/png', detail: 'low' },
          { type: 'audio', url: 'https://example.org/a.mp3' },
          { type: 'video', url: 'https://example.org/v.mp4', mediaType: 'video/mp4' },
          { type: 'pdf', data: 'aGk=', name: 'terms.pdf' },
        ],
      },
      {
        role: 'assistant',
        text: '',
        thinking: 'Hm.',
        toolExecutionRequests: [{ id: '1', name: 'look', arguments: '{"id":12345678901234567890}' }],
        attributes: {
          blocks: [
            { type: 'redacted_thinking', data: 'xyz' },
            { signature: 'c2ln', text: '' },
          ],
          madeUpIds: ['1'],
        },
      },
      {
        role: 'tool',
        id: '1',
        toolName: 'look',
        contents: [{ type: 'image', url: 'https://example.org/i.png' }],
        isError: true,
        attributes: { page: 2 },
      },
      { role: 'assistant', text: 'Done.', toolExecutionRequests: [] },
    ];
    expect(detour(history)).toEqual(history);
  });

  it('[G46] is equal to what it was, for any history', () => {
    fc.assert(
      fc.property(anyMessages, (messages) => {
        const plain = JSON.parse(JSON.stringify(messages)) as ChatMessage[];
        expect(detour(messages)).toStrictEqual(plain);
      }),
      { numRuns: 300 },
    );
  });

  it('is new: the array and messages that were parsed are not shared', () => {
    const json = [{ role: 'system', text: 'a' }];
    const parsed = parseMessages(json);
    json[0]!.text = 'changed';
    json.push({ role: 'system', text: 'b' });
    expect(parsed).toEqual([{ role: 'system', text: 'a' }]);
  });

  it('may be empty', () => {
    expect(parseMessages([])).toEqual([]);
  });
});

describe('what is no history', () => {
  it.each<[what: string, json: unknown, where: string, expected: string]>([
    ['null', null, 'messages', 'expected array, received null'],
    ['undefined', undefined, 'messages', 'expected array, received undefined'],
    ['an object', { messages: [] }, 'messages', 'expected array, received object'],
    ['a message that is null', [{ role: 'system', text: '' }, null], 'messages[1]', 'expected object, received null'],
    ['a message that is text', ['hello'], 'messages[0]', 'expected object, received string'],
    ['a message without a role', [{}], 'messages[0].role', "Expected 'system' | 'user' | 'assistant' | 'tool'"],
    ['an unknown role', [{ role: 'function' }], 'messages[0].role', "Expected 'system' | 'user' | 'assistant' | 'tool'"],
    ['a system message without text', [{ role: 'system', text: null }], 'messages[0].text', 'expected string, received null'],
    [
      'a user message of plain text',
      [{ role: 'user', contents: 'hi' }],
      'messages[0].contents',
      'expected array, received string',
    ],
    [
      'an unknown content',
      user({ type: 'gif' }),
      'messages[0].contents[0].type',
      "Expected 'text' | 'image' | 'audio' | 'video' | 'pdf'",
    ],
    [
      'a text that is a number',
      user({ type: 'text', text: 3 }),
      'messages[0].contents[0].text',
      'expected string, received number',
    ],
    [
      'a picture that is nowhere',
      user({ type: 'text', text: '' }, { type: 'image' }),
      'messages[0].contents[1]',
      'expected data or a url',
    ],
    ['a sound that is nowhere', user({ type: 'audio' }), 'messages[0].contents[0]', 'expected data or a url'],
    ['a film that is nowhere', user({ type: 'video' }), 'messages[0].contents[0]', 'expected data or a url'],
    ['a document that is nowhere', user({ type: 'pdf', name: 'a' }), 'messages[0].contents[0]', 'expected data or a url'],
    [
      'an unknown detail',
      user({ type: 'image', url: 'a', detail: 'max' }),
      'messages[0].contents[0].detail',
      'expected one of "auto"|"low"|"high"',
    ],
    ['an answer without text', assistant({ text: undefined }), 'messages[0].text', 'expected string, received undefined'],
    [
      'an answer without calls',
      assistant({ toolExecutionRequests: undefined }),
      'messages[0].toolExecutionRequests',
      'expected array, received undefined',
    ],
    ['a thought that is no text', assistant({ thinking: 1 }), 'messages[0].thinking', 'expected string, received number'],
    ['attributes that are a list', assistant({ attributes: [] }), 'messages[0].attributes', 'expected record, received array'],
    [
      'a call without an id',
      assistant({ toolExecutionRequests: [{ name: 'x', arguments: '' }] }),
      'messages[0].toolExecutionRequests[0].id',
      'expected string',
    ],
    [
      'a call with an empty id',
      assistant({ toolExecutionRequests: [{ id: '', name: 'x', arguments: '' }] }),
      'messages[0].toolExecutionRequests[0].id',
      'at least 1',
    ],
    [
      'arguments that are an object',
      assistant({ toolExecutionRequests: [{ id: '1', name: 'x', arguments: {} }] }),
      'messages[0].toolExecutionRequests[0].arguments',
      'expected string, received object',
    ],
    ['a result without an id', result({ id: undefined }), 'messages[0].id', 'expected string, received undefined'],
    ['a result without a tool', result({ toolName: null }), 'messages[0].toolName', 'expected string, received null'],
    ['a result of plain text', result({ contents: 'done' }), 'messages[0].contents', 'expected array, received string'],
    [
      'a result that does not say whether it is an error',
      result({ isError: undefined }),
      'messages[0].isError',
      'expected boolean, received undefined',
    ],
  ])('throws for %s, and says where and what was expected', (_, json, where, expected) => {
    const parse = () => parseMessages(json);
    expect(parse).toThrow(TypeError);
    expect(parse).toThrow(`\n  ${where}: `);
    // zod words a minimum length as ">=1 characters".
    expect(parse).toThrow(expected === 'at least 1' ? '>=1 characters' : expected);
  });

  it('is told for the JSON text itself: parse it first', () => {
    expect(() => parseMessages('[]')).toThrow(
      new TypeError('This is JSON text, not a history: pass JSON.parse(text) to parseMessages.'),
    );
  });

  it('is told five times at most', () => {
    expect(() => parseMessages([1, 2, 3, 4, 5, 6, 7])).toThrow(
      /^This is no history of chat messages:(\n {2}messages\[\d\]: .*){5}$/,
    );
  });
});

describe('hostile keys in a history', () => {
  it('change no prototype, wherever they stand', () => {
    const hostile = '{"polluted":1}';
    const text = `[{"role":"assistant","text":"a","toolExecutionRequests":[],"attributes":{"__proto__":${hostile},"constructor":{"prototype":${hostile}},"kept":true},"__proto__":${hostile}}]`;
    const [message] = parseMessages(JSON.parse(text));
    const { attributes } = message as { attributes: object };
    for (const object of [{}, message!, attributes]) {
      expect((object as { polluted?: unknown }).polluted).toBeUndefined();
      expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
    }
    expect(attributes).toHaveProperty('kept', true);
  });
});
