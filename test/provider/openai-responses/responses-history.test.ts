import { describe, expect, it } from 'vitest';
import type { AiMessage, ChatMessage } from '../../../src/chat/message.ts';
import { parseMessages } from '../../../src/chat/parse-messages.ts';
import { responsesInputJson } from '../../../src/provider/openai/responses-items-json.ts';
import { assistant, result, user } from '../openai/bodies.ts';
import { inputOf, type PublishedItem } from './bodies.ts';
import { added, call, completed, created, done, message, readOf, reasoning, text, written } from './events.ts';

interface Item {
  readonly type: string;
  readonly content?: readonly { readonly text?: string }[];
  readonly arguments?: string;
  readonly [key: string]: unknown;
}

/** What the model said in a stream of these items, one after the other. */
function answerOf(...items: readonly Item[]): AiMessage {
  const wire = items.flatMap((item, place) => {
    const said = item.content?.[0]?.text;
    const begun = {
      ...item,
      ...(item.content && { content: [] }),
      ...(item.type === 'function_call' && { arguments: '' }),
      ...(item.type === 'reasoning' && { encrypted_content: 'begun' }),
    };
    return [
      added(place, begun),
      ...(said === undefined ? [] : [text(place, said)]),
      ...(item.arguments === undefined ? [] : [written(place, item.arguments)]),
      done(place, item),
    ];
  });
  return readOf(created, ...wire, completed()).response!.aiMessage;
}

const thinking = reasoning('rs_1', 'gAAAABz', { summary: [{ type: 'summary_text', text: 'Add.' }] });
const add = call('fc_1', 'call_1', 'add', '{"a":1}');
const sentAdd = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'add', arguments: '{"a":1}' } as const;

describe('what the Responses API needs back', () => {
  it('[G50] is the reasoning as it came, with its last encrypted content, directly before the call that followed it', () => {
    const sent = [
      { role: 'user', content: 'Go' },
      { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'Add.' }], encrypted_content: 'gAAAABz' },
      sentAdd,
      { type: 'function_call_output', call_id: 'call_1', output: '2' },
    ] satisfies PublishedItem[];
    expect(inputOf(user('Go'), answerOf(thinking, add), result('call_1', 'add', '2'))).toEqual(sent);
  });

  it('[G50] is each reasoning before its own item, and a message with its id and phase', () => {
    const second = reasoning('rs_2', 'gBBB');
    const spoken = message('msg_1', 'Adding.', { phase: 'commentary' });
    const sent = [
      { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'Add.' }], encrypted_content: 'gAAAABz' },
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Adding.', annotations: [] }],
        phase: 'commentary',
      },
      { id: 'rs_2', type: 'reasoning', summary: [], encrypted_content: 'gBBB' },
      sentAdd,
    ] satisfies PublishedItem[];
    expect(inputOf(answerOf(thinking, spoken, second, add))).toEqual(sent);
  });

  it('[G50] is no reasoning that nothing follows: the API refuses it', () => {
    expect(inputOf(answerOf(add, thinking))).toEqual([sentAdd]);
    expect(inputOf(answerOf(thinking))).toEqual([]);
  });

  it('[G50] is the reasoning at the place where it began, though its end came last', () => {
    const { aiMessage } = readOf(
      created,
      added(0, reasoning('rs_1', null)),
      added(1, call('fc_1', 'call_1', 'add', '')),
      written(1, '{"a":1}'),
      done(1, add),
      done(0, thinking),
      completed(),
    ).response!;
    expect(inputOf(aiMessage).map(({ type }) => type)).toEqual(['reasoning', 'function_call']);
  });

  it('is encrypted content that comes with the whole response alone', () => {
    const { aiMessage } = readOf(
      added(0, reasoning('rs_1', null)),
      done(0, reasoning('rs_1', null)),
      added(1, add),
      done(1, add),
      completed({ output: [thinking, add] }),
    ).response!;
    expect(inputOf(aiMessage)[0]).toEqual(thinking);
  });

  it('is a call without its item id where the reasoning before it was lost: the API would look for it', () => {
    const { aiMessage } = readOf(added(0, reasoning('rs_1', null)), added(1, add), done(1, add), completed()).response!;
    expect(inputOf(aiMessage)).toEqual([{ type: 'function_call', call_id: 'call_1', name: 'add', arguments: '{"a":1}' }]);
  });

  it('is each of several messages with its own id', () => {
    const sent = inputOf(answerOf(message('msg_1', 'One.'), message('msg_2', 'Two.')));
    expect(sent).toMatchObject([
      { id: 'msg_1', content: [{ text: 'One.' }] },
      { id: 'msg_2', content: [{ text: 'Two.' }] },
    ]);
  });

  it('is a message with its own id though its end came behind the beginning of a call', () => {
    const { aiMessage } = readOf(
      added(0, message('msg_1', '')),
      text(0, 'One.'),
      added(1, call('fc_1', 'call_1', 'add', '')),
      done(0, message('msg_1', 'One.')),
      done(1, add),
      completed(),
    ).response!;
    expect(inputOf(aiMessage)).toMatchObject([{ id: 'msg_1', type: 'message' }, sentAdd]);
  });

  it('is a refusal as one', () => {
    const { aiMessage } = readOf(
      added(0, message('msg_1', '')),
      { type: 'response.refusal.delta', output_index: 0, content_index: 0, delta: 'No.' },
      done(0, message('msg_1', '', { content: [{ type: 'refusal', refusal: 'No.' }] })),
      completed(),
    ).response!;
    const sent = [
      { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [{ type: 'refusal', refusal: 'No.' }] },
    ] satisfies PublishedItem[];
    expect(inputOf(aiMessage)).toEqual(sent);
  });

  it('are the calls of tools that ran on the server, with the reasoning before them', () => {
    const search = { id: 'ws_1', type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'x' } };
    const shell = { id: 'sh_1', type: 'shell_call', call_id: 'call_s', action: { commands: ['ls'] } };
    const output = { id: 'sho_1', type: 'shell_call_output', call_id: 'call_s', output: [] };
    expect(inputOf(answerOf(thinking, search, shell, output, message('msg_1', 'Done.')))).toMatchObject([
      thinking,
      search,
      shell,
      output,
      { id: 'msg_1' },
    ]);
  });

  it('is no call of a tool that waits for an output that nobody gave, nor the reasoning that led to it', () => {
    const shell = { id: 'lsh_1', type: 'local_shell_call', call_id: 'call_s', status: 'completed', action: { type: 'exec' } };
    expect(inputOf(answerOf(thinking, shell))).toEqual([]);
    expect(inputOf(answerOf(thinking, shell, message('msg_1', 'Done.')))).toEqual([{ role: 'assistant', content: 'Done.' }]);
  });

  it('is what newer models put beside a call, and not what gateways put there', () => {
    expect(inputOf(answerOf({ ...add, namespace: 'crm', caller: null, trace: 'x' }))).toEqual([
      { ...sentAdd, namespace: 'crm' } satisfies PublishedItem,
    ]);
  });

  it.each(['item_1', `msg_${'x'.repeat(400)}`, '2cd8fbc0-b9bd-4dbb-ba59-1e964eb58196'])(
    'is no id that the API would refuse, such as %s',
    (id) => {
      expect(inputOf(answerOf(message(id, 'Hi')))).toEqual([{ role: 'assistant', content: 'Hi' }]);
    },
  );

  it('is reasoning without the id that its own server would refuse when it comes back', () => {
    const [sent] = inputOf(answerOf(reasoning('r'.repeat(400), 'g'), add));
    expect(sent).toEqual({ type: 'reasoning', summary: [], encrypted_content: 'g' });
  });
});

describe('a history of the Responses API', () => {
  const history: readonly ChatMessage[] = [
    user('Go'),
    answerOf(thinking, message('msg_1', 'Adding.'), reasoning('rs_2', 'gBBB'), add),
    result('call_1', 'add', '2'),
    answerOf(message('msg_2', 'Two.', { phase: 'final_answer' })),
  ];

  it('[G46] is the same byte for byte after it went through JSON', () => {
    const stored = parseMessages(JSON.parse(JSON.stringify(history)));
    expect(responsesInputJson(stored)).toBe(responsesInputJson(history));
    expect(responsesInputJson(stored)).toContain('gAAAABz');
  });

  it('tells no id of an item twice, which the API refuses', () => {
    const twice = responsesInputJson([...history, ...history]);
    expect(twice.split('"id":"rs_2"')).toHaveLength(2);
    expect(twice.split('gBBB')).toHaveLength(3);
  });

  it('tells it not twice either where a server gave two items of one answer the same', () => {
    const input = responsesInputJson([user('Go'), answerOf(message('msg_1', 'One.'), message('msg_1', 'Two.'))]);
    expect(input.split('"id":"msg_1"').length).toBeLessThan(3);
    expect(input).toContain('Two.');
  });

  it('has the ids of calls that had none on the wire', () => {
    const { aiMessage } = readOf(done(0, { type: 'function_call', name: 'add', arguments: '{}' }), completed()).response!;
    const { id } = aiMessage.toolExecutionRequests[0]!;
    expect(inputOf(aiMessage, result(id, 'add', '2'))).toEqual([
      { type: 'function_call', call_id: 'made-1', name: 'add', arguments: '{}' },
      { type: 'function_call_output', call_id: 'made-1', output: '2' },
    ]);
  });

  it('goes back as it was changed: a text that was rewritten, a call that was taken out, one with a new id', () => {
    const answer = answerOf(message('msg_1', 'Adding.'), add, call('fc_2', 'call_2', 'now', '{}'));
    const [, second] = answer.toolExecutionRequests;
    const changed = { ...answer, text: 'Summing up.', toolExecutionRequests: [{ ...second!, id: 'mine' }] };
    expect(inputOf(changed)).toMatchObject([
      { id: 'msg_1', content: [{ text: 'Summing up.' }] },
      { type: 'function_call', call_id: 'mine', name: 'now' },
    ]);
  });

  it('may hold answers of other providers, whose thinking and attributes are not sent', () => {
    const foreign = assistant('Hi', [{ id: 'toolu_1', name: 'add', arguments: '{}' }], {
      thinking: 'secret',
      attributes: { anthropic: [{ type: 'kept', part: { type: 'thinking', signature: 's' } }], reasoningField: 'reasoning' },
    });
    expect(inputOf(foreign)).toEqual([
      { role: 'assistant', content: 'Hi' },
      { type: 'function_call', call_id: 'toolu_1', name: 'add', arguments: '{}' },
    ] satisfies PublishedItem[]);
  });

  it.each<[string, unknown]>([
    ['no list', 'odd'],
    ['parts of no kind', [null, 7, { type: 'kept', part: 'odd' }, { type: 'kept', part: {} }, { type: 'kept', part: null }]],
  ])('may hold attributes that are %s', (_, openaiResponses) => {
    expect(inputOf(assistant('Hi', [], { attributes: { openaiResponses } }))).toEqual([{ role: 'assistant', content: 'Hi' }]);
  });
});
