import { describe, expect, it } from 'vitest';
import type { AiMessage } from '../../../src/chat/message.ts';
import { parseMessages } from '../../../src/chat/parse-messages.ts';
import { messagesOf } from './bodies.ts';
import { call, calls, finish, turnOf } from './turns.ts';

const signed = (signature: string) => ({ extra_content: { google: { thought_signature: signature } } });
const answerTo = (...chunks: readonly object[]): AiMessage => turnOf(...chunks, finish('tool_calls')).response!.aiMessage;
const sent = (message: AiMessage) => (messagesOf(message) as [{ tool_calls: readonly object[] }])[0].tool_calls;
const written = (id: string, text = '{}') => ({ id, type: 'function', function: { name: 's', arguments: text } });

/** Of three calls, the signature is with the second. */
const answer = answerTo(calls(call(0, 'A', 's', '{}'), { ...call(1, 'B', 's', '{}'), ...signed('S') }, call(2, 'C', 's', '{}')));

describe('what comes with a call beside what it says', () => {
  it('goes back on the very call that it came with', () => {
    expect(sent(answer)).toEqual([written('A'), { ...written('B'), ...signed('S') }, written('C')]);
  });

  it('goes back whoever of the providers behind the server has sent it', () => {
    const extra = { extra_content: { vertex: { thought_signature: 'V' } } };
    expect(sent(answerTo(calls({ ...call(0, 'A', 's', '{}'), ...extra })))).toEqual([{ ...written('A'), ...extra }]);
  });

  it('may come with a later piece, when other calls have begun', () => {
    const { function: f } = call(0, '', '', '{"n":1}');
    const message = answerTo(
      calls(call(0, 'A', 's', ''), call(1, 'B', 's', '')),
      calls({ index: 0, function: { arguments: f.arguments }, ...signed('S') }),
      calls({ index: 1, function: { arguments: '{"n":2}' } }),
    );
    expect(sent(message)).toEqual([{ ...written('A', '{"n":1}'), ...signed('S') }, written('B', '{"n":2}')]);
  });

  it('stays with its call when that has another id in the history, or others are left out', () => {
    const [, second, third] = answer.toolExecutionRequests;
    const renamed = { ...answer, toolExecutionRequests: [answer.toolExecutionRequests[0]!, { ...second!, id: 'new' }, third!] };
    expect(sent(renamed)).toEqual([written('A'), { ...written('new'), ...signed('S') }, written('C')]);
    expect(sent({ ...answer, toolExecutionRequests: [second!] })).toEqual([{ ...written('B'), ...signed('S') }]);
    expect(sent({ ...answer, toolExecutionRequests: [third!] })).toEqual([written('C')]);
  });

  it('goes to no other server, which may refuse it', () => {
    const attributes = { ...answer.attributes, reasoningServer: 'api.openai.com' };
    expect(sent({ ...answer, attributes })).toEqual([written('A'), written('B'), written('C')]);
  });

  it('[G46] is the same byte for byte after the history went through JSON', () => {
    const stored = parseMessages(JSON.parse(JSON.stringify([answer]))) as readonly [AiMessage];
    expect(JSON.stringify(messagesOf(...stored))).toBe(JSON.stringify(messagesOf(answer)));
  });

  it.each([5, 'x', [], [null], [{ type: 'call', id: 'A', extra: { extra_content: 5, role: 'x' } }]])(
    'is nothing where the attribute of a stored message holds something else: %j',
    (callExtras) => {
      expect(sent({ ...answer, attributes: { callExtras } })).toEqual([written('A'), written('B'), written('C')]);
    },
  );
});
