import { describe, expect, it } from 'vitest';
import type { AiMessage, ChatMessage } from '../../../src/chat/message.ts';
import { parseMessages } from '../../../src/chat/parse-messages.ts';
import { geminiBody } from '../../../src/provider/gemini/gemini-body.ts';
import { contentsOf, early, result, user } from './bodies.ts';
import type { PublishedContent } from './published.ts';
import { finish, functionCall, parts, text, turnOf } from './turns.ts';

/** What the model said, and how it goes back. */
function sentBack(...chunks: readonly object[]): { readonly message: AiMessage; readonly parts: PublishedContent['parts'] } {
  const message = turnOf(...chunks).response!.aiMessage;
  const [, content] = contentsOf([user('Go'), message]) as PublishedContent[];
  return { message, parts: content!.parts };
}

const image = { inlineData: { mimeType: 'image/png', data: 'QUJD' }, thoughtSignature: 'sig-image' };
const code = { executableCode: { language: 'PYTHON', code: '1+1' } };
const output = { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '2' } };

describe('what Gemini said goes back', () => {
  it('[G46] with the signature on the very call that it came with', () => {
    const { parts: sent } = sentBack(
      parts({ text: 'I think.', thought: true }),
      parts(text('Let me see.')),
      parts(functionCall({ name: 'x', args: { n: 1 } }, 'sig')),
      finish('STOP', functionCall({ name: 'x', args: { n: 2 } })),
    );
    expect(sent).toEqual([
      { text: 'Let me see.' },
      { functionCall: { name: 'x', args: { n: 1 } }, thoughtSignature: 'sig' },
      { functionCall: { name: 'x', args: { n: 2 } } },
    ] satisfies PublishedContent['parts']);
  });

  it('[G46] with the signature on a part that is empty', () => {
    expect(sentBack(parts(text('Hel')), parts(text('lo')), finish('STOP', text('', 'sig'))).parts).toEqual([
      { text: 'Hello' },
      { text: '', thoughtSignature: 'sig' },
    ] satisfies PublishedContent['parts']);
    expect(sentBack(parts(text('a')), finish('STOP', { thoughtSignature: 'sig' })).parts?.at(-1)).toEqual({
      text: '',
      thoughtSignature: 'sig',
    });
  });

  it('[G46] with a signed text that is joined with no other', () => {
    expect(sentBack(parts(text('a')), parts(text('b', 'sig')), parts(text('c')), finish('STOP', text('d'))).parts).toEqual([
      { text: 'a' },
      { text: 'b', thoughtSignature: 'sig' },
      { text: 'cd' },
    ] satisfies PublishedContent['parts']);
  });

  it('[G46] with signed thoughts, and without others', () => {
    const signed = { text: 'b', thought: true, thoughtSignature: 'sig' };
    expect(sentBack(parts({ text: 'a', thought: true }), parts(signed), finish('STOP', text('c'))).parts).toEqual([
      signed,
      { text: 'c' },
    ] satisfies PublishedContent['parts']);
  });

  it('with all that is no text, in its place', () => {
    expect(sentBack(parts(text('a'), code, output), parts(image), finish('STOP', text('b'))).parts).toEqual([
      { text: 'a' },
      code,
      output,
      image,
      { text: 'b' },
    ]);
  });

  it('with streamed arguments as one call, signed where any of its pieces was', () => {
    const { parts: sent } = sentBack(
      parts(functionCall({ name: 'x', willContinue: true }, 'sig')),
      parts(functionCall({ partialArgs: [{ jsonPath: '$.a', stringValue: 'b' }], willContinue: true })),
      parts(functionCall({})),
      finish('STOP'),
    );
    expect(sent).toEqual([{ functionCall: { name: 'x', args: { a: 'b' } }, thoughtSignature: 'sig' }]);
  });

  it('with the ids that it gave, and none that we made up', () => {
    const told = sentBack(
      parts(functionCall({ name: 'x', args: {}, id: 'p1' }, 'sig')),
      finish('STOP', functionCall({ name: 'y', args: {} })),
    );
    const [one, other] = told.message.toolExecutionRequests;
    expect([one!.id, other!.id]).toEqual(['p1', 'made-1']);
    const contents = contentsOf([
      user('Go'),
      told.message,
      result(other!.id, 'y', '2'),
      result(one!.id, 'x', '1'),
    ]) as PublishedContent[];
    expect(contents[1]!.parts!.map(({ functionCall: sent }) => sent)).toEqual([
      { id: 'p1', name: 'x', args: {} },
      { name: 'y', args: {} },
    ]);
    expect(contents[2]!.parts!.map(({ functionResponse }) => functionResponse)).toEqual([
      { id: 'p1', name: 'x', response: { output: '1' } },
      { name: 'y', response: { output: '2' } },
    ]);
  });

  it('with a text that a guardrail has changed since', () => {
    const { message } = sentBack(parts(text('a')), finish('STOP', text('', 'sig')));
    const contents = contentsOf([user('Go'), { ...message, text: 'changed' }]) as PublishedContent[];
    expect(contents[1]!.parts).toEqual([{ text: 'changed' }, { text: '', thoughtSignature: 'sig' }]);
  });

  it('[G46] the same byte for byte after the history went through JSON', () => {
    const { message } = sentBack(
      parts({ text: 'Hm.', thought: true, thoughtSignature: 'sig-thought' }, text('a'), text('b', 'sig-text'), code, image),
      parts(functionCall({ name: 'x', args: { n: 1 }, id: 'p1' }, 'sig-call'), functionCall({ name: 'now' })),
      finish('STOP', text('', 'sig-empty')),
    );
    const foreign: AiMessage = {
      role: 'assistant',
      text: 'Yes',
      toolExecutionRequests: [{ id: 'call_1', name: 'a/b', arguments: '{"x":' }],
    };
    const ids = message.toolExecutionRequests.map(({ id }) => id);
    const history: readonly ChatMessage[] = [
      { role: 'system', text: 'Be kind.' },
      user('Go', { type: 'image', data: 'QUJD', mediaType: 'image/png' }),
      message,
      result(ids[0]!, 'x', [{ type: 'image', url: 'https://x/y.png' }]),
      result(ids[1]!, 'now', 'it failed', true),
      foreign,
      result('call_1', 'a/b', 'ok'),
    ];
    const stored = parseMessages(JSON.parse(JSON.stringify(history)));
    for (const modelName of ['gemini-3-pro-preview', early]) {
      const body = geminiBody({ modelName, messages: history });
      expect(geminiBody({ modelName, messages: stored })).toBe(body);
      for (const signature of ['sig-thought', 'sig-text', 'sig-image', 'sig-call', 'sig-empty'])
        expect(body).toContain(signature);
    }
  });
});
