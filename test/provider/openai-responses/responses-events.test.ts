import { describe, expect, it } from 'vitest';
import {
  added,
  call,
  completed,
  created,
  done,
  incomplete,
  message,
  readOf,
  reasoning,
  text,
  toldIn,
  written,
} from './events.ts';

const summary = (delta: string, summary_index = 0) => ({
  type: 'response.reasoning_summary_text.delta',
  output_index: 0,
  summary_index,
  delta,
});
const thought = (delta: string) => ({ type: 'response.reasoning_text.delta', output_index: 0, content_index: 0, delta });
const refusal = (delta: string) => ({ type: 'response.refusal.delta', output_index: 0, content_index: 0, delta });
const request = (id: string, name: string, written: string) => ({ id, name, arguments: written });

describe('a Responses stream', () => {
  it('tells text and thinking as they come, and what the turn was and cost', () => {
    const usage = {
      input_tokens: 19,
      input_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
      output_tokens: 7,
      output_tokens_details: { reasoning_tokens: 5 },
      total_tokens: 26,
    };
    const read = readOf(
      created,
      added(0, reasoning('rs_1', null)),
      summary('**Greet**'),
      thought(' politely'),
      done(0, reasoning('rs_1', 'gAAA')),
      added(1, message('msg_1', '')),
      text(1, 'Hel'),
      text(1, 'lo'),
      done(1, message('msg_1', 'Hello')),
      completed({ usage }),
    );
    expect(toldIn(read)).toEqual([{ thinking: '**Greet**' }, { thinking: ' politely' }, 'Hel', 'lo']);
    expect(read.response).toMatchObject({
      id: 'resp_1',
      modelName: 'gpt-x',
      finishReason: 'stop',
      aiMessage: { text: 'Hello', thinking: '**Greet** politely', toolExecutionRequests: [] },
      tokenUsage: {
        inputTokens: 19,
        outputTokens: 7,
        totalTokens: 26,
        cachedInputTokens: 4,
        cacheCreationInputTokens: 2,
        reasoningTokens: 5,
      },
    });
  });

  it('has no count that the server does not tell', () => {
    const told = (usage: unknown) => readOf(text(0, 'a'), completed({ usage })).response?.tokenUsage;
    expect(told(null)).toBeUndefined();
    expect(told({})).toBeUndefined();
    expect(told({ input_tokens: 3, output_tokens: null, input_tokens_details: null })).toEqual({ inputTokens: 3 });
  });

  it('hands a call over when its item is whole, while the model goes on', () => {
    const read = readOf(
      created,
      added(0, call('fc_1', 'call_1', 'add', '', { status: 'in_progress' })),
      written(0, '{"a"'),
      written(0, ':1}'),
      done(0, call('fc_1', 'call_1', 'add', '{"a":1}')),
      added(1, message('msg_1', '')),
      text(1, 'On it.'),
      completed(),
    );
    expect(toldIn(read)).toEqual([
      { call: 0, piece: '' },
      { call: 0, piece: '{"a"' },
      { call: 0, piece: ':1}' },
      { complete: request('call_1', 'add', '{"a":1}') },
      'On it.',
    ]);
    expect(read.response).toMatchObject({ finishReason: 'toolExecution' });
  });

  it('keeps calls apart whose pieces are mixed', () => {
    const read = readOf(
      added(0, call('fc_1', 'call_1', 'read', '')),
      added(1, call('fc_2', 'call_2', 'read', '')),
      written(0, '{"p":'),
      written(1, '{"p":'),
      written(1, '2}'),
      done(1, call('fc_2', 'call_2', 'read', '{"p":2}')),
      written(0, '1}'),
      done(0, call('fc_1', 'call_1', 'read', '{"p":1}')),
      completed(),
    );
    expect(toldIn(read).slice(-3)).toEqual([
      { complete: request('call_2', 'read', '{"p":2}') },
      { call: 0, piece: '1}' },
      { complete: request('call_1', 'read', '{"p":1}') },
    ]);
  });

  it('ends as refused where the model refuses, and says what it said', () => {
    const read = readOf(added(0, message('msg_1', '')), refusal("I can't"), refusal(' do that.'), completed());
    expect(toldIn(read)).toEqual(["I can't", ' do that.']);
    expect(read.response).toMatchObject({ finishReason: 'contentFilter', aiMessage: { text: "I can't do that." } });
  });

  it.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'contentFilter'],
    ['steered', 'length'],
    [undefined, 'length'],
  ])('ends as cut where it is incomplete because of %s', (reason, finishReason) => {
    const read = readOf(added(0, call('fc_1', 'call_1', 'add', '')), written(0, '{}'), incomplete(reason));
    expect(read.response).toMatchObject({ finishReason });
    expect(read.events.filter(({ type }) => type === 'completeToolCall')).toEqual([]);
  });

  it('never runs a call that the limit cut, not even when what came of it parses', () => {
    const cut = call('fc_1', 'call_1', 'add', '{"a":1}', { status: 'incomplete' });
    const asIncomplete = readOf(added(0, call('fc_1', 'call_1', 'add', '')), written(0, '{"a":1}'), done(0, cut), incomplete());
    const asCompleted = readOf(added(0, call('fc_1', 'call_1', 'add', '')), written(0, '{"a":1}'), done(0, cut), completed());
    for (const { events, response } of [asIncomplete, asCompleted]) {
      expect(events.filter(({ type }) => type === 'completeToolCall')).toEqual([]);
      expect(response?.finishReason).toBe('length');
    }
  });

  it.each<[string, object, string]>([
    [
      'a failed response',
      { type: 'response.failed', response: { status: 'failed', error: { code: 'server_error', message: 'Oops' } } },
      'openai: Oops (code server_error)',
    ],
    [
      'a failed response without a reason',
      { type: 'response.failed', response: { status: 'failed', error: null } },
      'openai: the response is failed',
    ],
    [
      'a cancelled response',
      { type: 'response.cancelled', response: { status: 'cancelled' } },
      'openai: the response is cancelled',
    ],
    ['a completed response that failed', completed({ status: 'failed', error: { message: 'Oops' } }), 'openai: Oops'],
    [
      'an error',
      { type: 'error', code: 'rate_limit_exceeded', message: 'Slow down', param: null },
      'openai: Slow down (type error, code rate_limit_exceeded)',
    ],
    [
      'an error within an error',
      { type: 'error', error: { type: 'insufficient_quota', code: 'insufficient_quota', message: 'Empty' } },
      'openai: Empty (type insufficient_quota)',
    ],
  ])('fails by %s, and hands over no response', (_, failure, message) => {
    const read = readOf(created, text(0, 'So'), failure);
    expect(read.error).toMatchObject({ message });
    expect(read.response).toBeUndefined();
  });

  it('is interrupted where its end does not come', () => {
    const read = readOf(created, text(0, 'So'));
    expect(read.error).toMatchObject({ kind: 'interrupted', message: 'openai: the stream ended before response.completed' });
  });

  it('shows what has no place among our events as it is', () => {
    const search = { id: 'ws_1', type: 'web_search_call', status: 'completed' };
    const read = readOf(
      created,
      added(0, search),
      { type: 'response.web_search_call.searching', output_index: 0 },
      done(0, search),
      added(1, message('msg_1', '')),
      { type: 'response.content_part.added', output_index: 1, content_index: 0, part: { type: 'output_text', text: '' } },
      text(1, 'Sunny.'),
      { type: 'response.output_text.annotation.added', output_index: 1, annotation: { type: 'url_citation' } },
      done(1, message('msg_1', 'Sunny.')),
      completed(),
    );
    expect(toldIn(read)).toEqual([
      { raw: 'response.output_item.added' },
      { raw: 'response.web_search_call.searching' },
      { raw: 'response.output_item.done' },
      'Sunny.',
      { raw: 'response.output_text.annotation.added' },
    ]);
  });
});

describe('a Responses stream of a server of its own kind', () => {
  it('may tell everything whole, without a piece before it', () => {
    const read = readOf(
      added(0, reasoning('rs_1', null)),
      done(0, reasoning('rs_1', 'g', { summary: [{ type: 'summary_text', text: 'Hm.' }] })),
      added(1, message('msg_1', '')),
      { type: 'response.output_text.done', output_index: 1, content_index: 0, text: 'One ' },
      done(
        1,
        message('msg_1', '', {
          content: [
            { type: 'output_text', text: 'One ' },
            { type: 'output_text', text: 'two' },
          ],
        }),
      ),
      added(2, call('fc_1', 'call_1', 'add', '')),
      { type: 'response.function_call_arguments.done', output_index: 2, arguments: '{"a":1}' },
      done(2, call('fc_1', 'call_1', 'add', '{"a":1}')),
      completed(),
    );
    expect(toldIn(read)).toEqual([
      { thinking: 'Hm.' },
      'One ',
      'two',
      { call: 0, piece: '' },
      { call: 0, piece: '{"a":1}' },
      { complete: request('call_1', 'add', '{"a":1}') },
    ]);
  });

  it('may tell everything at its end alone', () => {
    const output = [
      reasoning('rs_1', 'g', { content: [{ type: 'reasoning_text', text: 'Hm.' }] }),
      message('msg_1', 'Yes.'),
      call('fc_1', 'call_1', 'add', '{"a":1}'),
    ];
    const read = readOf(created, completed({ output }));
    expect(toldIn(read)).toEqual([
      { thinking: 'Hm.' },
      'Yes.',
      { call: 0, piece: '' },
      { call: 0, piece: '{"a":1}' },
      { complete: request('call_1', 'add', '{"a":1}') },
    ]);
    expect(read.response?.aiMessage.attributes?.['openaiResponses']).toHaveLength(3);
  });

  it('may tell only at the end of an item that was not told before', () => {
    const output = [message('msg_1', 'Yes.'), call('fc_1', 'call_1', 'add', '{}'), call('fc_2', 'call_2', 'now', '{}')];
    const read = readOf(text(0, 'Yes.'), added(1, call('fc_1', 'call_1', 'add', '')), completed({ output }));
    expect(read.response?.aiMessage).toMatchObject({
      text: 'Yes.',
      toolExecutionRequests: [request('call_1', 'add', '{}'), request('call_2', 'now', '{}')],
    });
  });

  it('says nothing twice where the output at its end has other places', () => {
    const output = [message('msg_1', 'Yes.'), call('fc_1', 'call_1', 'add', '{"a":1}')];
    const read = readOf(
      added(0, reasoning('rs_1', 'g')),
      added(1, message('msg_1', '')),
      text(1, 'Yes.'),
      added(2, call('fc_1', 'call_1', 'add', '')),
      written(2, '{"a":1}'),
      completed({ output }),
    );
    expect(read.response?.aiMessage).toMatchObject({
      text: 'Yes.',
      toolExecutionRequests: [request('call_1', 'add', '{"a":1}')],
    });
  });

  it('may leave out the places of its items', () => {
    const read = readOf(
      { type: 'response.output_item.added', item: message('msg_1', '') },
      { type: 'response.output_text.delta', item_id: 'msg_1', delta: 'Yes.' },
      { type: 'response.output_item.done', item: message('msg_1', 'Yes.') },
      { type: 'response.output_item.added', item: call('fc_1', 'call_1', 'add', '') },
      { type: 'response.output_item.added', item: call('fc_2', 'call_2', 'add', '') },
      { type: 'response.function_call_arguments.delta', item_id: 'fc_1', delta: '{"a":1}' },
      { type: 'response.function_call_arguments.delta', item_id: 'fc_2', delta: '{"a":2}' },
      { type: 'response.output_item.done', item: call('fc_2', 'call_2', 'add', '{"a":2}') },
      completed(),
    );
    expect(read.response?.aiMessage).toMatchObject({
      text: 'Yes.',
      toolExecutionRequests: [request('call_1', 'add', '{"a":1}'), request('call_2', 'add', '{"a":2}')],
    });
  });

  it('may leave out places and ids', () => {
    const read = readOf(
      { type: 'response.output_text.delta', delta: 'Ye' },
      { type: 'response.output_text.delta', delta: 's.' },
      { type: 'response.output_text.done', text: 'Yes.' },
      completed(),
    );
    expect(toldIn(read)).toEqual(['Ye', 's.']);
  });

  it('may give every item the place 0', () => {
    const read = readOf(
      added(0, call('fc_1', 'call_1', 'add', '')),
      written(0, '{"a":1}'),
      done(0, call('fc_1', 'call_1', 'add', '{"a":1}')),
      added(0, call('fc_2', 'call_2', 'add', '')),
      done(0, call('fc_2', 'call_2', 'add', '{"a":2}')),
      completed(),
    );
    expect(read.response?.aiMessage.toolExecutionRequests).toEqual([
      request('call_1', 'add', '{"a":1}'),
      request('call_2', 'add', '{"a":2}'),
    ]);
  });

  it('may begin an item twice, end it twice, and repeat all arguments', () => {
    const read = readOf(
      added(0, call('fc_1', 'call_1', 'add', '{"a":1}')),
      added(0, call('fc_1', 'call_1', 'add', '{"a":1}')),
      written(0, '{"a":1}'),
      done(0, call('fc_1', 'call_1', 'add', '{"a":1}')),
      done(0, call('fc_1', 'call_1', 'add', '{"a":1}')),
      completed(),
    );
    expect(read.response?.aiMessage.toolExecutionRequests).toEqual([request('call_1', 'add', '{"a":1}')]);
  });

  it('may send arguments as an object', () => {
    const read = readOf(done(0, { type: 'function_call', call_id: 'call_1', name: 'add', arguments: { a: 1 } }), completed());
    expect(read.response?.aiMessage.toolExecutionRequests).toEqual([request('call_1', 'add', '{"a":1}')]);
  });

  it('may say only in the status that it is incomplete', () => {
    expect(readOf(text(0, 'a'), completed({ status: 'incomplete' })).response?.finishReason).toBe('length');
  });

  it('may send values of other types than the API has', () => {
    const read = readOf(
      added(0, { type: 'message', content: null }),
      { type: 'response.output_text.delta', output_index: '0', content_index: 'x', delta: { odd: 1 } },
      { type: 'response.output_text.delta', output_index: '0', delta: 'a' },
      { type: 'response.output_item.added', output_index: 1, item: null },
      { type: 'response.output_item.done', output_index: 1, item: 'odd' },
      { type: 'response.content_part.done', output_index: 0, part: null },
      { type: 7 },
      completed({ output: { odd: 1 }, usage: null }),
    );
    expect(read.error).toBeUndefined();
    expect(read.response?.aiMessage.text).toBe('a');
  });
});
