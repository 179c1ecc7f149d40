import { describe, expect, it } from 'vitest';
import { ChatModelError } from '../../../src/chat/chat-model-error.ts';
import type { Content } from '../../../src/chat/content.ts';
import { assistant, bodyOf, result, sentBlocks, sentMessages, user } from './bodies.ts';

const said = (text: string) => ({ type: 'text', text });
const userSays = (...contents: Content[]) => sentBlocks({ role: 'user', contents });
const toolSays = (isError: boolean, ...contents: Content[]) =>
  (sentBlocks({ role: 'tool', id: 'a', toolName: 'draw', contents, isError }) as readonly unknown[])[0];

describe('the messages of a Messages request', () => {
  it('have what the system says at the top, in order, wherever it stood', () => {
    const messages = [
      { role: 'system', text: 'One.' } as const,
      user('Hello'),
      { role: 'system', text: 'Two.' } as const,
      { role: 'system', text: ' ' } as const,
    ];
    expect(bodyOf({ messages })).toMatchObject({
      system: [said('One.'), said('Two.')],
      messages: [{ role: 'user', content: [said('Hello')] }],
    });
    expect(bodyOf({ messages: [user('Hello'), { role: 'system', text: '' }] })).not.toHaveProperty('system');
  });

  it('[G49] take turns: all results of a turn are in one message of the user, before any text of it', () => {
    const calls = ['a', 'b'].map((id) => ({ id, name: 'add', arguments: '{}' }));
    expect(
      sentMessages(
        user('Go'),
        user('on'),
        assistant(null, calls),
        result('a', 'add', '1'),
        user('Well?'),
        result('b', 'add', '2'),
      ),
    ).toEqual([
      { role: 'user', content: [said('Go'), said('on')] },
      { role: 'assistant', content: calls.map(({ id }) => ({ type: 'tool_use', id, name: 'add', input: {} })) },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: '1' },
          { type: 'tool_result', tool_use_id: 'b', content: '2' },
          said('Well?'),
        ],
      },
    ]);
  });

  it('[G51] have no blank text and no empty message, and still take turns', () => {
    expect(
      sentMessages(
        user('Hello'),
        assistant(null),
        assistant(''),
        user(''),
        user(' \n'),
        user('Still there?'),
        assistant(' '),
        user('Hm'),
      ),
    ).toEqual([{ role: 'user', content: [said('Hello'), said('Still there?'), said('Hm')] }]);
  });

  it('begin with the user, also where the history does not', () => {
    expect(sentMessages(assistant('How can I help?'), user('Rain?'))).toEqual([
      { role: 'user', content: [said('(The conversation begins.)')] },
      { role: 'assistant', content: [said('How can I help?')] },
      { role: 'user', content: [said('Rain?')] },
    ]);
  });

  it('have ids that the API takes, the same in call and result, and each its own', () => {
    const ids = ['call:1', 'call/1', 'fits_1-a', 'ü'.repeat(80)];
    const [, calls, results] = sentMessages(
      user('Go'),
      assistant(
        null,
        ids.map((id) => ({ id, name: 'add', arguments: '{}' })),
      ),
      ...ids.map((id) => result(id, 'add', '1')),
    ) as { content: Record<string, string>[] }[];
    const sent = calls!.content.map(({ id }) => id!);
    for (const id of sent) expect(id).toMatch(/^[a-zA-Z0-9_-]+$/);
    expect(new Set(sent).size).toBe(ids.length);
    expect(sent[2]).toBe('fits_1-a');
    expect(results!.content.map(({ tool_use_id }) => tool_use_id)).toEqual(sent);
  });
});

describe('the contents of a message', () => {
  it('are images of the types that the API takes, also from a data URL', () => {
    const source = (media_type: string) => [{ type: 'image', source: { type: 'base64', media_type, data: 'QUJD' } }];
    expect(userSays({ type: 'image', data: 'QUJD', mediaType: 'image/jpg' })).toEqual(source('image/jpeg'));
    expect(userSays({ type: 'image', url: 'data:image/webp;base64,QUJD' })).toEqual(source('image/webp'));
    expect(userSays({ type: 'pdf', url: 'data:application/pdf;base64,QUJD' })).toEqual([
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'QUJD' } },
    ]);
  });

  it.each<[string, Content]>([
    ['audio: send what is said in it as text', { type: 'audio', data: 'QUJD', mediaType: 'audio/wav' }],
    ['video: send pictures of it as images', { type: 'video', url: 'https://x/y.mp4' }],
    ['an image of type image/bmp: send image/jpeg', { type: 'image', data: 'QUJD', mediaType: 'image/bmp' }],
    ['data without a mediaType: set mediaType', { type: 'image', data: 'QUJD' }],
    ['media without data and url: set one of them', { type: 'image', mediaType: 'image/png' }],
    ['media without data and url: set one of them', { type: 'pdf' }],
  ])('are not %s', (words, content) => {
    expect(() => userSays(content)).toThrow(ChatModelError);
    expect(() => userSays(content)).toThrow(`anthropic: the Messages API does not take ${words}`);
  });
});

describe('the result of a tool', () => {
  it('may hold pictures and documents beside text', () => {
    expect(
      toolSays(
        false,
        { type: 'text', text: 'Here:' },
        { type: 'image', url: 'https://x/y.png' },
        { type: 'pdf', url: 'https://x/y.pdf' },
      ),
    ).toEqual({
      type: 'tool_result',
      tool_use_id: 'a',
      content: [
        said('Here:'),
        { type: 'image', source: { type: 'url', url: 'https://x/y.png' } },
        { type: 'document', source: { type: 'url', url: 'https://x/y.pdf' } },
      ],
    });
  });

  it('is several texts in order', () => {
    expect(
      toolSays(false, { type: 'text', text: 'one' }, { type: 'text', text: '' }, { type: 'text', text: 'two' }),
    ).toMatchObject({
      content: [said('one'), said('two')],
    });
  });

  it('[G13] may say nothing, but an error says at least that it is one', () => {
    const nothing = { type: 'tool_result', tool_use_id: 'a' };
    expect(toolSays(false)).toEqual(nothing);
    expect(toolSays(false, { type: 'text', text: '' })).toEqual(nothing);
    expect(toolSays(true, { type: 'text', text: '' })).toEqual({
      ...nothing,
      content: 'The tool failed and gave no reason.',
      is_error: true,
    });
  });

  it('names the tool whose result holds what the API does not take', () => {
    expect(() => toolSays(false, { type: 'audio', data: 'QUJD' })).toThrow(
      'anthropic: the Messages API does not take audio in the result of tool draw: send what is said in it as text.',
    );
  });
});
