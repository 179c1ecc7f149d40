import { describe, expect, it } from 'vitest';
import { ChatModelError } from '../../../src/chat/chat-model-error.ts';
import type { Content } from '../../../src/chat/content.ts';
import type { ChatMessage } from '../../../src/chat/message.ts';
import { parseMessages } from '../../../src/chat/parse-messages.ts';
import { assistant, messagesOf, result, user } from './bodies.ts';

const userSays = (...contents: Content[]) => (messagesOf({ role: 'user', contents }) as [{ content: unknown }])[0].content;
const call = (id: string, name: string, text: string) => ({ id, type: 'function', function: { name, arguments: text } });

describe('the messages of a chat-completions request', () => {
  it('are text where there is nothing but text', () => {
    expect(messagesOf({ role: 'system', text: 'Be kind.' }, user('Hello'), assistant('Hi'))).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hi' },
    ]);
  });

  it('[G51] have a tool turn without text as content null, and each result behind it', () => {
    const calls = [
      { id: 'a', name: 'add', arguments: '{"x":1}' },
      { id: 'b', name: 'now', arguments: '' },
    ];
    expect(messagesOf(assistant(null, calls), result('a', 'add', '2'), result('b', 'now', 'it failed', true))).toEqual([
      { role: 'assistant', content: null, tool_calls: [call('a', 'add', '{"x":1}'), call('b', 'now', '{}')] },
      { role: 'tool', tool_call_id: 'a', content: '2' },
      { role: 'tool', tool_call_id: 'b', content: 'it failed' },
    ]);
  });

  it('keep the text that came before a call', () => {
    expect(messagesOf(assistant('Let me see.', [{ id: 'a', name: 'add', arguments: '{}' }]))).toEqual([
      { role: 'assistant', content: 'Let me see.', tool_calls: [call('a', 'add', '{}')] },
    ]);
  });

  it('never have null where nothing else is said', () => {
    expect(messagesOf(assistant(null), assistant(''))).toEqual([
      { role: 'assistant', content: '' },
      { role: 'assistant', content: '' },
    ]);
  });

  it('join the texts of a result', () => {
    const contents: Content[] = [
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
    ];
    expect(messagesOf({ role: 'tool', id: 'a', toolName: 't', contents, isError: false, attributes: { hidden: true } })).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'one\ntwo' },
    ]);
  });

  it('send arguments back as the model wrote them, digits and all', () => {
    const written = '{"id":12345678901234567890, "x" :1}';
    expect(messagesOf(assistant(null, [{ id: 'a', name: 'add', arguments: written }]))).toMatchObject([
      { tool_calls: [{ function: { arguments: written } }] },
    ]);
  });
});

describe('what a message may hold', () => {
  it('is several parts in order', () => {
    expect(userSays({ type: 'text', text: 'a' }, { type: 'text', text: 'b' })).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ]);
  });

  it('is an image by url or data', () => {
    expect(userSays({ type: 'image', url: 'https://x/y.png' })).toEqual([
      { type: 'image_url', image_url: { url: 'https://x/y.png' } },
    ]);
    expect(userSays({ type: 'image', data: 'QUJD', mediaType: 'image/png', detail: 'low' })).toEqual([
      { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD', detail: 'low' } },
    ]);
  });

  it.each([
    ['audio/wav', 'wav'],
    ['audio/x-wav', 'wav'],
    ['audio/mpeg', 'mp3'],
    ['audio/mp3', 'mp3'],
  ])('is audio of type %s', (mediaType, format) => {
    expect(userSays({ type: 'audio', data: 'QUJD', mediaType })).toEqual([
      { type: 'input_audio', input_audio: { data: 'QUJD', format } },
    ]);
  });

  it('is media whose URL holds the bytes, as if these were its data', () => {
    expect(userSays({ type: 'audio', url: 'data:audio/wav;base64,QUJD' })).toEqual([
      { type: 'input_audio', input_audio: { data: 'QUJD', format: 'wav' } },
    ]);
    expect(userSays({ type: 'pdf', url: 'data:application/pdf;base64,QUJD', name: 'bill.pdf' })).toEqual([
      { type: 'file', file: { filename: 'bill.pdf', file_data: 'data:application/pdf;base64,QUJD' } },
    ]);
  });

  it('is a PDF, with a name of its own or without', () => {
    expect(userSays({ type: 'pdf', data: 'QUJD', name: 'bill.pdf' })).toEqual([
      { type: 'file', file: { filename: 'bill.pdf', file_data: 'data:application/pdf;base64,QUJD' } },
    ]);
    expect(userSays({ type: 'pdf', data: 'QUJD' })).toEqual([
      { type: 'file', file: { filename: 'document.pdf', file_data: 'data:application/pdf;base64,QUJD' } },
    ]);
  });

  it.each<[string, Content]>([
    ['audio by url: send its data', { type: 'audio', url: 'https://x/y.wav' }],
    ['audio of type audio/ogg: send audio/wav or audio/mpeg', { type: 'audio', data: 'QUJD', mediaType: 'audio/ogg' }],
    ['audio of type unknown: send audio/wav or audio/mpeg', { type: 'audio', data: 'QUJD' }],
    ['a PDF by url: send its data', { type: 'pdf', url: 'https://x/y.pdf' }],
    ['video: send pictures of it as images', { type: 'video', url: 'https://x/y.mp4' }],
    ['data without a mediaType: set mediaType', { type: 'image', data: 'QUJD' }],
  ])('is not %s', (words, content) => {
    expect(() => userSays(content)).toThrow(ChatModelError);
    expect(() => userSays(content)).toThrow(`openai: the chat-completions API does not take ${words}`);
  });

  it('is no image that has neither url nor data', () => {
    expect(() => userSays({ type: 'image', mediaType: 'image/png' })).toThrow(ChatModelError);
  });

  it('stands behind the results of a turn where tools have returned it, since these take text alone', () => {
    const image = (url: string): Content => ({ type: 'image', url });
    const drawn = (id: string, contents: readonly Content[]): ChatMessage => ({
      role: 'tool',
      id,
      toolName: 'draw',
      contents,
      isError: false,
    });
    const shown = (url: string) => [
      { type: 'text', text: 'From the tool draw:' },
      { type: 'image_url', image_url: { url } },
    ];
    expect(
      messagesOf(drawn('a', [{ type: 'text', text: 'Done' }, image('u1')]), result('b', 'add', '2'), drawn('c', [image('u2')])),
    ).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'Done\n[image]' },
      { role: 'tool', tool_call_id: 'b', content: '2' },
      { role: 'tool', tool_call_id: 'c', content: '[image]' },
      { role: 'user', content: [...shown('u1'), ...shown('u2')] },
    ]);
    expect(() => messagesOf(drawn('a', [{ type: 'video', url: 'u' }]))).toThrow('does not take video');
  });
});

describe('what a provider needs back', () => {
  const calls = [{ id: 'a', name: 'add', arguments: '{}' }];

  it.each(['reasoning_content', 'reasoning'])('[G48] is the thinking of a tool turn, under its own name %s', (reasoningField) => {
    const message = assistant(null, calls, { thinking: 'I should add.', attributes: { reasoningField } });
    expect(messagesOf(message)).toEqual([
      { role: 'assistant', content: null, [reasoningField]: 'I should add.', tool_calls: [call('a', 'add', '{}')] },
    ]);
  });

  it('is no thinking of a plain answer, which servers refuse', () => {
    expect(
      messagesOf(
        assistant('2', [], {
          thinking: 'Easy.',
          attributes: { reasoningField: 'reasoning_content', reasoningDetails: [{ a: 1 }] },
        }),
      ),
    ).toEqual([{ role: 'assistant', content: '2' }]);
  });

  it('is no thinking that came from another provider', () => {
    expect(messagesOf(assistant(null, calls, { thinking: 'x', attributes: { reasoningField: 'role' } }))).toEqual([
      { role: 'assistant', content: null, tool_calls: [call('a', 'add', '{}')] },
    ]);
  });

  it('[G48] is no thinking that came from another server, which may refuse it', () => {
    const from = (reasoningServer: string) =>
      messagesOf(assistant(null, calls, { thinking: 'x', attributes: { reasoningField: 'reasoning_content', reasoningServer } }));
    expect(from('test')).toMatchObject([{ reasoning_content: 'x' }]);
    expect(from('api.deepseek.com')).toEqual([{ role: 'assistant', content: null, tool_calls: [call('a', 'add', '{}')] }]);
  });

  it('are the details of the reasoning, unmerged and in order', () => {
    const reasoningDetails = [
      { type: 'reasoning.encrypted', data: 'x' },
      { type: 'reasoning.text', text: 'y' },
    ];
    expect(messagesOf(assistant(null, calls, { attributes: { reasoningDetails } }))).toMatchObject([
      { reasoning_details: reasoningDetails },
    ]);
  });

  it('[G46] is the same byte for byte after the history went through JSON', () => {
    const history = [
      user('hello'),
      assistant('One moment', calls, {
        thinking: 'hm',
        attributes: { reasoningField: 'reasoning', reasoningDetails: [{ a: 1 }] },
      }),
      result('a', 'add', '2'),
    ];
    const stored = parseMessages(JSON.parse(JSON.stringify(history)));
    expect(JSON.stringify(messagesOf(...stored))).toEqual(JSON.stringify(messagesOf(...history)));
  });

  it('[G4] is never a name that no provider takes', () => {
    const [message] = messagesOf(assistant(null, [{ id: 'a', name: 'query<|channel|>commentary', arguments: '{}' }])) as [
      { tool_calls: [{ function: { name: string } }] },
    ];
    expect(message.tool_calls[0].function.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  });
});
