import 'node:process';
import { RunAgentInputSchema } from '@ag-ui/core/schemas';
import { describe, expect, it } from 'vitest';
import { fromAgUiInput } from '../../src/ag-ui/from-ag-ui-input.ts';
import { parseMessages } from '../../src/chat/parse-messages.ts';

const user = (content: unknown) => ({ id: 'u', role: 'user', content });
const input = (patch: object = {}) => ({
  threadId: 't',
  runId: 'r',
  messages: [user('hello')],
  tools: [],
  context: [],
  ...patch,
});

/** What is read here must be what the protocol allows. */
function read(patch: object) {
  const json = input(patch);
  expect(RunAgentInputSchema.safeParse(json).error).toBeUndefined();
  const parsed = fromAgUiInput(json);
  expect(parseMessages(JSON.parse(JSON.stringify(parsed.messages)))).toEqual(parsed.messages);
  return parsed;
}

describe('fromAgUiInput', () => {
  it('gives the question, the history before it, and what belongs to the thread', () => {
    const tool = {
      name: 'show',
      description: 'Shows it.',
      parameters: { type: 'object', properties: { x: { type: 'number' } } },
    };
    const parsed = read({
      messages: [
        { id: '0', role: 'system', content: 'Be brief.' },
        { id: '1', role: 'user', content: 'one' },
        { id: '2', role: 'reasoning', content: 'Hm.' },
        {
          id: '3',
          role: 'assistant',
          content: 'Let me see.',
          toolCalls: [{ id: 'c', type: 'function', function: { name: 'add', arguments: '{"a":1}' } }],
        },
        { id: '4', role: 'tool', toolCallId: 'c', content: '2' },
        { id: '5', role: 'activity', activityType: 'plan', content: {} },
        { id: '6', role: 'assistant', content: 'It is 2.' },
        user('two'),
      ],
      state: { page: 3 },
      context: [{ description: 'where', value: 'here' }],
      forwardedProps: { theme: 'dark' },
      tools: [tool, { name: 'bare', description: '' }],
    });
    expect(parsed.input).toEqual({ role: 'user', contents: [{ type: 'text', text: 'two' }] });
    expect(parsed.messages).toEqual([
      { role: 'system', text: 'Be brief.' },
      { role: 'user', contents: [{ type: 'text', text: 'one' }] },
      {
        role: 'assistant',
        text: 'Let me see.',
        thinking: 'Hm.',
        toolExecutionRequests: [{ id: 'c', name: 'add', arguments: '{"a":1}' }],
      },
      { role: 'tool', id: 'c', toolName: 'add', contents: [{ type: 'text', text: '2' }], isError: false },
      { role: 'assistant', text: 'It is 2.', toolExecutionRequests: [] },
    ]);
    expect(parsed.parameters).toEqual({
      state: { page: 3 },
      context: [{ description: 'where', value: 'here' }],
      forwardedProps: { theme: 'dark' },
    });
    expect(parsed.tools).toEqual([tool, { name: 'bare', description: '', parameters: { type: 'object', properties: {} } }]);
    expect([parsed.threadId, parsed.runId, parsed.resume]).toEqual(['t', 'r', []]);
  });

  it('makes a valid history of one with calls that nobody has answered, and knows failures', () => {
    const call = (id: string) => ({ id, type: 'function', function: { name: 'add', arguments: '{}' } });
    const { messages } = read({
      messages: [
        user('x'),
        { id: 'a', role: 'assistant', toolCalls: [call('1'), call('2'), call('3')] },
        { id: 'b', role: 'tool', toolCallId: '2', content: 'no', error: 'no' },
        { id: 'c', role: 'tool', toolCallId: '1', content: 'no', metadata: { isError: true } },
        { id: 'd', role: 'tool', toolCallId: 'orphan', content: '?' },
        user('y'),
      ],
    });
    expect(messages.slice(2)).toMatchObject([
      { id: '1', isError: true },
      { id: '2', isError: true },
      { id: '3', isError: true, contents: [{ text: 'Tool execution did not complete.' }] },
    ]);
  });

  it('reads media by data and by url, and a text document as text', () => {
    const data = (type: string, mimeType: string, value = 'AA==') => ({ type, source: { type: 'data', value, mimeType } });
    const { input: question } = read({
      messages: [
        user([
          { type: 'text', text: 'Look:' },
          data('image', 'image/png'),
          { type: 'image', source: { type: 'url', value: 'https://x/y.png' } },
          data('audio', 'audio/wav'),
          { type: 'video', source: { type: 'url', value: 'https://x/y.mp4', mimeType: 'video/mp4' } },
          data('document', 'application/pdf'),
          data('document', 'text/plain; charset=utf-8', 'w6Q='),
        ]),
      ],
    });
    expect(question!.contents).toEqual([
      { type: 'text', text: 'Look:' },
      { type: 'image', data: 'AA==', mediaType: 'image/png' },
      { type: 'image', url: 'https://x/y.png' },
      { type: 'audio', data: 'AA==', mediaType: 'audio/wav' },
      { type: 'video', url: 'https://x/y.mp4', mediaType: 'video/mp4' },
      { type: 'pdf', data: 'AA==', mediaType: 'application/pdf' },
      { type: 'text', text: 'ä' },
    ]);
  });

  it('may ask nothing where it answers an interrupt', () => {
    const resume = [{ interruptId: 'i', status: 'resolved', payload: { approved: true } }];
    expect(read({ messages: [user('x'), { id: 'a', role: 'assistant', content: 'y' }], resume })).toMatchObject({
      input: undefined,
      resume,
    });
  });

  it.each([
    ['JSON text', '{}', /JSON\.parse/],
    ['nothing', undefined, /no input of an AG-UI run/],
    ['no thread', input({ threadId: undefined }), /input\.threadId/],
    ['messages that are none', input({ messages: [{ id: 'x', role: 'user', content: 7 }] }), /input\.messages\[0\]\.content/],
    ['a role that nobody knows', input({ messages: [{ id: 'x', role: 'boss', content: '' }] }), /input\.messages\[0\]\.role/],
    ['no question', input({ messages: [] }), /nothing to answer.*missing/],
    [
      'an answer as its last message',
      input({ messages: [{ id: 'a', role: 'assistant', content: 'y' }] }),
      /of the role assistant/,
    ],
    [
      'a handle of a provider',
      input({ messages: [user([{ type: 'image', source: { type: 'file', value: 'file-1' } }])] }),
      /file-1 is a handle/,
    ],
    [
      'a document of a type that no model takes',
      input({
        messages: [
          user([{ type: 'document', source: { type: 'url', value: 'https://x.example/z', mimeType: 'application/zip' } }]),
        ],
      }),
      /application\/zip/,
    ],
    [
      'data that is no base64',
      input({ messages: [user([{ type: 'document', source: { type: 'data', value: '%', mimeType: 'text/plain' } }])] }),
      /base64/,
    ],
  ])('refuses %s, and says what is wrong', (_, json, message) => {
    expect(() => fromAgUiInput(json)).toThrow(message);
    expect(() => fromAgUiInput(json)).toThrow(TypeError);
  });
});

it('refuses what is no question, and URLs that a client has no business with, with their place', () => {
  const asked = (content: unknown) => () =>
    fromAgUiInput({ threadId: 't', runId: 'r', messages: [{ id: 'm', role: 'user', content }] });
  for (const empty of ['', [], [{ type: 'text', text: '' }]]) expect(asked(empty)).toThrow('input.messages[0].content is empty');
  for (const value of ['file:///etc/passwd', 'javascript:1', '/etc/passwd'])
    expect(asked([{ type: 'image', source: { type: 'url', value } }])).toThrow(/messages\[0\]\.content.*http\(s\)/s);
  expect(asked([{ type: 'image', source: { type: 'url', value: 'https://x.example/i.png' } }])).not.toThrow();
  expect(() => fromAgUiInput(Promise.resolve({}))).toThrow('This is a promise, not the input of a run: await it.');
});
