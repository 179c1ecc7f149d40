import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChatModelError } from '../../../src/chat/chat-model-error.ts';
import type { Content } from '../../../src/chat/content.ts';
import { parseMessages } from '../../../src/chat/parse-messages.ts';
import { ollamaMessageJson } from '../../../src/provider/ollama/ollama-message-json.ts';
import { tool } from '../../../src/tool/tool.ts';
import { anyMessages } from '../../chat/arbitrary-messages.ts';
import { executed } from '../../tool/call.ts';
import { assistant, result, user } from '../openai/bodies.ts';
import { messagesOf, type SentMessage } from './bodies.ts';

const calling = (written: string) => assistant(null, [{ id: 'a', name: 'add', arguments: written }]);

const argumentsOf = (written: string) =>
  (messagesOf(calling(written)) as [SentMessage])[0].tool_calls![0]!.function.arguments as unknown;

const resultOf = (...contents: readonly Content[]) =>
  messagesOf({ role: 'tool', id: 'a', toolName: 'draw', contents, isError: false, attributes: { hidden: true } });

describe('the messages of an Ollama request', () => {
  it('[G51] have a text also where nothing is said, since the API wants one', () => {
    expect(messagesOf(user(''), assistant(null), assistant(''), { role: 'user', contents: [] })).toEqual([
      { role: 'user', content: '' },
      { role: 'assistant', content: '' },
      { role: 'assistant', content: '' },
      { role: 'user', content: '' },
    ]);
    expect(messagesOf(calling('{}'))).toMatchObject([{ role: 'assistant', content: '' }]);
  });

  it.each(['', ' ', 'null'])('[G55] have the arguments of a call that has none (%j) as an empty object', (written) => {
    expect(argumentsOf(written)).toEqual({});
  });

  it('have arguments as the model wrote them, digits and all', () => {
    expect(ollamaMessageJson(calling('{"id":12345678901234567890, "x" :1}'))).toContain('{"id":12345678901234567890, "x" :1}');
    expect(ollamaMessageJson(calling('{"__proto__":{"a":1}}'))).toContain('"arguments":{"__proto__":{"a":1}}');
  });

  it.each(['{"city":', 'not JSON', '[1]', '"text"', '1'])('wrap arguments that are no object: %s', (written) => {
    expect(argumentsOf(written)).toEqual({ INVALID_JSON: written });
  });

  it.each([undefined, null, '', [], 0, false])('[G13] have a text for whatever a tool returns: %j', (value) => {
    const { contents, isError } = executed(tool({ name: 'add', execute: () => value }));
    const [sent] = messagesOf({ role: 'tool', id: 'a', toolName: 'add', contents, isError }) as [SentMessage];
    const told = value === undefined ? 'Success' : value === '' ? '' : JSON.stringify(value);
    expect(sent).toEqual({ role: 'tool', content: told, tool_name: 'add', tool_call_id: 'a' });
  });

  it('join the texts of a result, and have its images beside them', () => {
    expect(resultOf({ type: 'text', text: 'one' }, { type: 'image', data: 'QUJD' }, { type: 'text', text: 'two' })).toEqual([
      { role: 'tool', content: 'one\ntwo', images: ['QUJD'], tool_name: 'draw', tool_call_id: 'a' },
    ]);
  });

  it.each<[string, Content]>([
    ['an image by url: send its data.', { type: 'image', url: 'https://x/y.png' }],
    ['audio: send what is said in it as text.', { type: 'audio', data: 'QUJD' }],
    ['video: send pictures of it as images.', { type: 'video', url: 'https://x/y.mp4' }],
    ['pdf: send its text, or its pages as images.', { type: 'pdf', data: 'QUJD' }],
  ])('refuse %s', (words, content) => {
    for (const send of [() => messagesOf({ role: 'user', contents: [content] }), () => resultOf(content)]) {
      expect(send).toThrow(ChatModelError);
      expect(send).toThrow(`ollama: the Ollama API does not take ${words}`);
    }
  });

  it('have the thinking of a tool turn, whoever thought it, and none of a plain answer', () => {
    const attributes = { anthropic: [{ type: 'kept', part: { type: 'thinking', signature: 's' } }] };
    const calls = [{ id: 'a', name: 'add', arguments: '{}' }];
    expect(
      messagesOf(assistant(null, calls, { thinking: 'I should add.', attributes }), assistant('2', [], { thinking: 'Easy.' })),
    ).toEqual([
      {
        role: 'assistant',
        content: '',
        thinking: 'I should add.',
        tool_calls: [{ id: 'a', function: { index: 0, name: 'add', arguments: {} } }],
      },
      { role: 'assistant', content: '2' },
    ]);
  });

  it('[G46] are the same byte for byte after the history went through JSON', () => {
    const history = [
      user('hello'),
      assistant('One moment', [{ id: 'made-up', name: 'add', arguments: '{"n":12345678901234567890}' }], {
        thinking: 'hm',
        attributes: { gemini: [{ type: 'text', length: 0, extra: { thoughtSignature: 's' } }], reasoningField: 'reasoning' },
      }),
      result('made-up', 'add', '2'),
    ];
    const stored = parseMessages(JSON.parse(JSON.stringify(history)));
    expect(stored.map(ollamaMessageJson)).toEqual(history.map(ollamaMessageJson));
  });

  it('[G46] are JSON with a text, or a clear refusal, for any history, and the same through JSON', () => {
    fc.assert(
      fc.property(anyMessages, (messages) => {
        for (const message of messages) {
          const again = JSON.parse(JSON.stringify(message)) as typeof message;
          const json = written(() => ollamaMessageJson(message));
          expect(written(() => ollamaMessageJson(again))).toEqual(json);
          if (typeof json !== 'string') expect(json).toBeInstanceOf(ChatModelError);
          else expect(typeof (JSON.parse(json) as SentMessage).content).toBe('string');
        }
      }),
    );
  });
});

function written(write: () => string): unknown {
  try {
    return write();
  } catch (error) {
    return error;
  }
}
