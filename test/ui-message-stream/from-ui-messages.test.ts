import { describe, expect, it } from 'vitest';
import { fromUiMessages } from '../../src/ui-message-stream/index.ts';

const user = (...parts: readonly object[]) => ({ id: 'u', role: 'user', parts });
const assistant = (...parts: readonly object[]) => ({ id: 'a', role: 'assistant', parts });
const text = (said: string) => ({ type: 'text', text: said });
const step = { type: 'step-start' };

const callOf = (toolCallId: string) => ({ type: 'tool-a', toolCallId, state: 'input-available', input: {} });
const deep = (levels: number): unknown => {
  let value: unknown = {};
  for (let level = 0; level < levels; level++) value = { value };
  return value;
};

describe('the messages that the AI SDK’s client posts', () => {
  it('are a history and what the user says now', () => {
    const { messages, userMessage, decisions } = fromUiMessages([
      user(text('Hi')),
      assistant(step, { type: 'reasoning', text: 'Hm.' }, text('Hello'), { type: 'data-x', data: 1 }),
      user(text('And'), text(''), text('now?')),
    ]);
    expect(messages).toEqual([
      { role: 'user', contents: [text('Hi')] },
      { role: 'assistant', text: 'Hello', thinking: 'Hm.', toolExecutionRequests: [] },
    ]);
    expect(userMessage).toEqual({ role: 'user', contents: [text('And'), text('now?')] });
    expect(decisions).toEqual([]);
  });

  it('have calls with their results, step by step, whatever became of them', () => {
    const tool = (toolCallId: string, state: string, more: object = {}) => ({
      type: 'tool-add',
      toolCallId,
      state,
      input: { a: 1 },
      ...more,
    });
    const { messages } = fromUiMessages([
      user(text('Go')),
      assistant(
        step,
        text('See:'),
        tool('1', 'output-available', { output: { sum: 3 } }),
        tool('2', 'output-error', { errorText: 'Broken.', input: undefined, rawInput: '{"a":' }),
        tool('3', 'output-denied', { approval: { id: 'x', approved: false, reason: 'no' } }),
        tool('4', 'input-streaming'),
        tool('5', 'output-available', { output: 1, preliminary: true }),
        { type: 'dynamic-tool', toolName: 'my-tool', toolCallId: '6', state: 'output-available', input: {}, output: 'text' },
        step,
        text('half'),
        { type: 'data-round-restarted', data: {} },
        step,
        text('Done.'),
      ),
      user(text('Thanks')),
    ]);
    expect(messages.slice(1).map((message) => ('contents' in message ? message.contents[0] : message.text))).toEqual([
      'See:',
      text('{"sum":3}'),
      text('Broken.'),
      text('The call was not approved: no'),
      text('Tool execution did not complete.'),
      text('text'),
      'Done.',
    ]);
    const [, answer] = messages;
    expect(answer).toMatchObject({
      toolExecutionRequests: [
        { id: '1', name: 'add', arguments: '{"a":1}' },
        { id: '2', name: 'add', arguments: '{"a":' },
        { id: '3' },
        { id: '5' },
        { id: '6', name: 'my-tool', arguments: '{}' },
      ],
    });
  });

  it('hold the decisions of the user', () => {
    const asked = (toolCallId: string, approval: object, state = 'approval-responded') =>
      ({ type: 'tool-send', toolCallId, state, input: {}, approval }) as const;
    const { userMessage, decisions } = fromUiMessages([
      user(text('Go')),
      assistant(
        asked('1', { id: 'i/1', approved: true }),
        asked('2', { id: 'i/2', approved: false, reason: 'no' }),
        asked('3', { id: 'i/3' }, 'approval-requested'),
      ),
    ]);
    expect(userMessage).toBeUndefined();
    expect(decisions).toEqual([
      { approvalId: 'i/1', toolCallId: '1', approved: true },
      { approvalId: 'i/2', toolCallId: '2', approved: false, reason: 'no' },
    ]);
  });

  it('may have files', () => {
    const file = (mediaType: string, url: string, filename?: string) => ({ type: 'file', mediaType, url, filename });
    const { userMessage } = fromUiMessages([
      user(
        file('image/png', 'data:image/png;base64,AAAA'),
        file('application/pdf', 'https://example.org/a.pdf', 'a.pdf'),
        file('text/plain', `data:text/plain;base64,${btoa('hello')}`),
        file('text/plain', 'data:text/plain,caf%C3%A9'),
      ),
    ]);
    expect(userMessage!.contents).toEqual([
      { type: 'image', data: 'AAAA', mediaType: 'image/png' },
      { type: 'pdf', url: 'https://example.org/a.pdf', mediaType: 'application/pdf', name: 'a.pdf' },
      text('hello'),
      text('café'),
    ]);
  });

  it.each<[string, unknown, RegExp]>([
    ['no list', { a: 1 }, /messages: Invalid input: expected array/],
    ['text', '[]', /JSON text/],
    ['none', [], /There must be a message/],
    ['no parts', [{ role: 'user' }], /messages\[0\]\.parts: Invalid input: expected array/],
    ['a system message', [{ role: 'system', parts: [] }], /messages\[0\]\.role: A system message is not taken from a client/],
    ['a text without one', [user({ type: 'text' })], /messages\[0\]\.parts\[0\]\.text: Invalid input: expected string/],
    ['a call in an unknown state', [assistant({ type: 'tool-a', toolCallId: '1', state: 'odd' })], /parts\[0\]\.state/],
    [
      'a call without a name',
      [assistant({ type: 'tool-', toolCallId: '1', state: 'input-available' })],
      /messages\[0\]\.parts\[0\]\.type: The name/,
    ],
    ['two calls of one id in a step', [assistant(callOf('1'), callOf('1'))], /parts\[1\]\.toolCallId: Another call/],
    ['a value of very many levels', [assistant({ ...callOf('1'), input: deep(20_000) })], /more than 500 levels/],
    ['nothing said', [user(text(''))], /messages\[0\]: the user says nothing/],
    [
      'a file of another place',
      [user({ type: 'file', mediaType: 'image/png', url: 'file:///etc/passwd' })],
      /parts\[0\]\.url: expected/,
    ],
    [
      'a file that no model takes',
      [user({ type: 'file', mediaType: 'application/zip', url: 'data:,x' })],
      /"application\/zip" can't be told/,
    ],
    ['an odd data URL', [user({ type: 'file', mediaType: 'text/plain', url: 'data:,%E9' })], /can't be decoded/],
  ])('are refused where they are %s, with the place', (_, messages, problem) => {
    expect(() => fromUiMessages(messages)).toThrow(TypeError);
    expect(() => fromUiMessages(messages)).toThrow(problem);
  });
});
