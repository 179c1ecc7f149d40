import { describe, expect, it } from 'vitest';
import { assistant, messagesOf } from './bodies.ts';
import { call, calls, delta, finish, text, turnOf } from './turns.ts';

const details = (...reasoning_details: object[]) => delta({ reasoning_details });
const toldOf = (...chunks: readonly object[]) =>
  turnOf(...chunks, text('x'), finish('stop')).response?.aiMessage.attributes?.['reasoningDetails'];

describe('the details of the reasoning', () => {
  it('are blocks again where the chunks held pieces of them', () => {
    const told = toldOf(
      details({ type: 'reasoning.text', text: 'Let', format: null, index: 0 }),
      details({ type: 'reasoning.text', text: ' me', format: 'f', index: 0 }),
      details({ type: 'reasoning.text', text: null, signature: 'SIG', format: null, index: 0 }),
      details({ type: 'reasoning.summary', summary: 'I', index: 1 }),
      details({ type: 'reasoning.encrypted', data: 'ab', id: 'r', index: 1 }),
      details({ type: 'reasoning.summary', summary: ' see', index: 1 }),
      details({ type: 'reasoning.encrypted', data: 'cd', id: 'r', index: 1 }),
    );
    expect(told).toEqual([
      { type: 'reasoning.text', text: 'Let me', format: 'f', signature: 'SIG', index: 0 },
      { type: 'reasoning.summary', summary: 'I see', index: 1 },
      { type: 'reasoning.encrypted', data: 'abcd', id: 'r', index: 1 },
    ]);
  });

  it.each<[string, readonly object[]]>([
    [
      'ids of their own',
      [
        { data: 'a', id: 'r1', index: 0 },
        { data: 'b', id: 'r2', index: 0 },
      ],
    ],
    ['no place', [{ text: 'a' }, { text: 'b' }]],
    [
      'a signature between them',
      [
        { text: 'a', signature: 'S', index: 0 },
        { text: 'b', index: 0 },
      ],
    ],
  ])('stay apart as blocks with %s', (_, blocks) => {
    expect(toldOf(details(...blocks))).toEqual(blocks);
  });

  it('are told with a call as they were by then, whatever comes behind it', () => {
    const { events } = turnOf(
      details({ type: 'reasoning.text', text: 'a', index: 0 }),
      calls(call(0, 'A', 's', '{}')),
      text('x'),
      details({ type: 'reasoning.text', text: 'b', index: 0 }),
      finish('stop'),
    );
    expect(events.find(({ type }) => type === 'completeToolCall')).toMatchObject({
      attributes: { reasoningDetails: [{ type: 'reasoning.text', text: 'a', index: 0 }] },
    });
  });

  it('go back as whole blocks, and not as thinking too where that had no field of its own', () => {
    const { response } = turnOf(
      details({ type: 'reasoning.text', text: 'Let', index: 0 }),
      details({ type: 'reasoning.text', text: ' me', index: 0 }),
      calls(call(0, 'A', 's', '{}')),
      finish('tool_calls'),
    );
    const { thinking, toolExecutionRequests, attributes } = response!.aiMessage;
    expect(thinking).toBe('Let me');
    const [message] = messagesOf(assistant(null, toolExecutionRequests, { thinking, attributes })) as [object];
    expect(message).toMatchObject({ reasoning_details: [{ type: 'reasoning.text', text: 'Let me', index: 0 }] });
    expect(message).not.toHaveProperty('reasoning');
  });
});
