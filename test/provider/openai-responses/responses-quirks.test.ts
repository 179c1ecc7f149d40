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
  readOfNamed,
  reasoning,
  text,
  toldIn,
  written,
} from './events.ts';

const request = (id: string, name: string, written: string) => ({ id, name, arguments: written });
const argumentsDone = (fields: object) => ({ type: 'response.function_call_arguments.done', ...fields });
const textDone = (text: string, content_index = 0) => ({
  type: 'response.output_text.done',
  output_index: 0,
  content_index,
  text,
});
const partDone = (text: string, content_index: number) => ({
  type: 'response.content_part.done',
  output_index: 0,
  content_index,
  part: { type: 'output_text', text },
});
const thought = (delta: string, content_index: number) => ({
  type: 'response.reasoning_text.delta',
  output_index: 0,
  content_index,
  delta,
});
const pending = (id: string, call_id: string, name: string) => call(id, call_id, name, '', { status: 'in_progress' });
const withoutPlace = (type: string, fields: object) => ({ type: `response.${type}`, ...fields });
const doneSentinel = { data: '[DONE]' };
const named = (event: string, fields: object) => ({ event, data: JSON.stringify(fields) });

describe('a Responses stream that repeats what it said', () => {
  it('says a text once, though the place counts up with each piece and the whole of it stands at later ones', () => {
    const read = readOf(
      added(0, message('msg_1', '')),
      text(0, 'Hel', 1),
      text(0, 'lo', 2),
      textDone('Hello', 3),
      partDone('Hello', 4),
      done(0, message('msg_1', 'Hello')),
      completed({ output: [message('msg_1', 'Hello')] }),
    );
    expect(toldIn(read)).toEqual(['Hel', 'lo']);
  });

  it.each(['x', {}, null, -1])('says a text once whose place is none: %j', (place) => {
    const read = readOf(
      added(0, message('msg_1', '')),
      text(0, 'Hello', place as number),
      textDone('Hello', place as number),
      completed({}),
    );
    expect(toldIn(read)).toEqual(['Hello']);
  });

  it('thinks a thought once, where its places count up', () => {
    const whole = [{ type: 'reasoning_text', text: 'Hm, so' }];
    const read = readOf(
      added(0, reasoning('rs_1', null)),
      thought('Hm', 1),
      thought(', so', 2),
      { type: 'response.reasoning_text.done', output_index: 0, content_index: 3, text: 'Hm, so' },
      partDone('Hm, so', 4),
      done(0, reasoning('rs_1', null, { content: whole })),
      completed(),
    );
    expect(toldIn(read)).toEqual([{ thinking: 'Hm' }, { thinking: ', so' }]);
  });

  it('says both of two parts that are alike, where neither came in pieces', () => {
    const twice = [1, 2].map(() => ({ type: 'output_text', text: 'Ha' }));
    expect(toldIn(readOf(done(0, message('msg_1', '', { content: twice })), completed()))).toEqual(['Ha', 'Ha']);
  });

  it('says a second part that came whole behind the pieces of the first', () => {
    const content = ['One ', 'two'].map((said) => ({ type: 'output_text', text: said }));
    const read = readOf(text(0, 'One'), text(0, ' '), done(0, message('msg_1', '', { content })), completed());
    expect(toldIn(read)).toEqual(['One', ' ', 'two']);
  });
});

describe('a Responses stream whose whole items hold more than their pieces', () => {
  it('tells the rest of the arguments, wherever they come whole', () => {
    const begun = [added(0, pending('fc_1', 'call_1', 'add')), written(0, '{"a":')];
    const whole = call('fc_1', 'call_1', 'add', '{"a":1}');
    for (const end of [
      [argumentsDone({ output_index: 0, arguments: '{"a":1}' }), done(0, whole)],
      [done(0, whole)],
      [done(0, { ...whole, arguments: { a: 1 } })],
      [],
    ]) {
      const read = readOf(...begun, ...end, completed({ output: [whole] }));
      expect(toldIn(read)).toEqual([
        { call: 0, piece: '' },
        { call: 0, piece: '{"a":' },
        { call: 0, piece: '1}' },
        { complete: request('call_1', 'add', '{"a":1}') },
      ]);
    }
  });

  it('tells the rest of a text', () => {
    expect(toldIn(readOf(text(0, 'Hel'), textDone('Hello'), done(0, message('msg_1', 'Hello')), completed()))).toEqual([
      'Hel',
      'lo',
    ]);
  });

  it('runs no call whose arguments the limit cut, though its item is told with more than its pieces', () => {
    const read = readOf(
      added(0, pending('fc_1', 'call_1', 'add')),
      written(0, '{"a"'),
      incomplete('max_output_tokens', { output: [call('fc_1', 'call_1', 'add', '{"a":1', { status: 'incomplete' })] }),
    );
    expect(read.response?.finishReason).toBe('length');
    expect(read.events.filter(({ type }) => type === 'completeToolCall')).toEqual([]);
    expect(read.response?.aiMessage.toolExecutionRequests).toEqual([request('call_1', 'add', '{"a":1')]);
  });
});

describe('a Responses stream that leaves out what its events are about', () => {
  it('knows a call by the id of the call', () => {
    const delta = (call_id: string, piece: string) => withoutPlace('function_call_arguments.delta', { call_id, delta: piece });
    const read = readOf(
      withoutPlace('output_item.added', { item: pending('fc_1', 'call_1', 'add') }),
      withoutPlace('output_item.added', { item: pending('fc_2', 'call_2', 'sub') }),
      delta('call_1', '{"a":'),
      delta('call_2', '{"b":2}'),
      delta('call_1', '1}'),
      withoutPlace('output_item.done', { item: call('fc_1', 'call_1', 'add', '{"a":1}') }),
      withoutPlace('output_item.done', { item: call('fc_2', 'call_2', 'sub', '{"b":2}') }),
      completed(),
    );
    expect(read.response?.aiMessage.toolExecutionRequests).toEqual([
      request('call_1', 'add', '{"a":1}'),
      request('call_2', 'sub', '{"b":2}'),
    ]);
  });

  it('keeps apart items that have nothing but the id of the call', () => {
    const item = (call_id: string, name: string, written: string) => ({
      type: 'function_call',
      call_id,
      name,
      arguments: written,
    });
    const read = readOf(
      withoutPlace('output_item.added', { item: item('call_1', 'add', '') }),
      withoutPlace('output_item.added', { item: item('call_2', 'sub', '') }),
      withoutPlace('output_item.done', { item: item('call_1', 'add', '{"a":1}') }),
      withoutPlace('output_item.done', { item: item('call_2', 'sub', '{"b":2}') }),
      completed(),
    );
    expect(read.response?.aiMessage.toolExecutionRequests).toEqual([
      request('call_1', 'add', '{"a":1}'),
      request('call_2', 'sub', '{"b":2}'),
    ]);
  });

  it.each([
    ['its place', { output_index: 0 }],
    ['its id', { item_id: 'fc_1' }],
    ['nothing', {}],
  ])('has a call that never began with the id and name of its end, when its pieces tell %s', (_, about) => {
    const item = call('fc_1', 'call_1', 'add', '{"a":1}');
    const read = readOf(
      withoutPlace('function_call_arguments.delta', { ...about, delta: '{"a"' }),
      withoutPlace('function_call_arguments.delta', { ...about, delta: ':1}' }),
      withoutPlace('output_item.done', { ...('output_index' in about && about), item }),
      completed({ output: [item] }),
    );
    expect(toldIn(read)).toEqual([
      { call: 0, piece: '' },
      { call: 0, piece: '{"a":1}' },
      { complete: request('call_1', 'add', '{"a":1}') },
    ]);
  });

  it('has a call whose first piece came before its beginning', () => {
    const item = call('fc_1', 'call_1', 'add', '{"a":1}');
    const read = readOf(
      written(0, '{"a"'),
      added(0, pending('fc_1', 'call_1', 'add')),
      written(0, ':1}'),
      done(0, item),
      completed(),
    );
    expect(read.response?.aiMessage.toolExecutionRequests).toEqual([request('call_1', 'add', '{"a":1}')]);
  });

  it('has a call whose name stands with its arguments alone, and fails where it stands nowhere', () => {
    const whole = { output_index: 0, item_id: 'fc_1', arguments: '{"a":1}' };
    expect(readOf(argumentsDone({ ...whole, name: 'add' }), completed()).response?.aiMessage.toolExecutionRequests).toEqual([
      request('made-1', 'add', '{"a":1}'),
    ]);
    expect(readOf(argumentsDone(whole), completed()).error?.message).toBe('openai: the answer has a tool call without a name');
  });
});

describe('a Responses stream that ends in another way', () => {
  it('ends with response.done as with response.completed', () => {
    const last = { ...completed({ usage: { input_tokens: 3, output_tokens: 4 } }), type: 'response.done' };
    const read = readOf(created, text(0, 'Hi'), done(0, message('msg_1', 'Hi')), last, text(1, 'late'));
    expect(toldIn(read)).toEqual(['Hi']);
    expect(read.response).toMatchObject({ finishReason: 'stop', tokenUsage: { inputTokens: 3, outputTokens: 4 } });
  });

  it('ends with response.done as it says that it ended', () => {
    const last = (response: object) => ({ type: 'response.done', response });
    const cut = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    expect(readOf(text(0, 'Ha'), last(cut)).response?.finishReason).toBe('length');
    const failed = { status: 'failed', error: { code: 'server_error', message: 'Oops' } };
    expect(readOf(text(0, 'Ha'), last(failed)).error?.message).toBe('openai: Oops (code server_error)');
  });

  it('is whole at [DONE] where all its items are', () => {
    const events = (...told: readonly object[]) => told.map((item) => ({ data: JSON.stringify(item) }));
    const said = [text(0, 'Hi'), done(0, message('msg_1', 'Hi'))];
    const called = done(1, call('fc_1', 'call_1', 'add', '{}'));
    expect(readOfNamed(...events(...said), doneSentinel).response?.finishReason).toBe('stop');
    expect(readOfNamed(...events(...said, called), doneSentinel).response?.finishReason).toBe('toolExecution');
    const cut = done(1, call('fc_1', 'call_1', 'add', '{}', { status: 'incomplete' }));
    expect(readOfNamed(...events(...said, cut), doneSentinel).response?.finishReason).toBe('length');
    expect(readOfNamed(...events(text(0, 'Hi')), doneSentinel).response).not.toHaveProperty('finishReason');
    expect(readOfNamed(...events(...said)).error?.kind).toBe('interrupted');
  });

  it('is not mixed with a second response that begins inside it', () => {
    const other = { ...created, response: { ...created.response, id: 'resp_2' } };
    const read = readOf(created, text(0, 'Half'), other, text(0, 'Whole'), completed({ id: 'resp_2' }));
    expect(read.response).toBeUndefined();
    expect(read.error).toMatchObject({
      kind: 'malformedResponse',
      retryable: true,
      message: 'openai: a second response began while the first was open',
    });
    expect(readOf(created, created, text(0, 'One'), completed()).response?.aiMessage.text).toBe('One');
    expect(readOf(created, other, text(0, 'One'), completed({ id: 'resp_2' })).response?.aiMessage.text).toBe('One');
  });
});

describe('a Responses stream whose data lacks the type', () => {
  it('is read by the names of its events', () => {
    const read = readOfNamed(
      named('response.output_text.delta', { output_index: 0, content_index: 0, delta: 'Hi' }),
      named('response.completed', { response: { id: 'resp_1', status: 'completed', output: [] } }),
    );
    expect(toldIn(read)).toEqual(['Hi']);
    expect(read.response).toMatchObject({ id: 'resp_1', finishReason: 'stop' });
    expect(readOfNamed(named('response.failed', { response: { error: { message: 'Oops' } } })).error?.message).toBe(
      'openai: Oops',
    );
  });

  it.each([
    ['with the name of the event', 'response.completed'],
    ['without a name', undefined],
  ])('may be the response alone, %s', (_, event) => {
    const usage = { input_tokens: 3, output_tokens: 4 };
    const response = (fields: object) => JSON.stringify({ id: 'resp_1', object: 'response', ...fields });
    const read = readOfNamed(
      { event: event && 'response.created', data: response({ status: 'in_progress', output: [] }) },
      { data: JSON.stringify(text(0, 'Hi')) },
      { event, data: response({ status: 'completed', output: [message('msg_1', 'Hi')], usage }) },
    );
    expect(toldIn(read).slice(-1)).toEqual(['Hi']);
    expect(read.response).toMatchObject({ id: 'resp_1', finishReason: 'stop', tokenUsage: { inputTokens: 3 } });
    expect(readOfNamed({ data: response({ status: 'failed', error: null }) }).error?.message).toBe(
      'openai: the response is failed',
    );
  });
});

describe('the attributes of a call', () => {
  it('stay as they were told, whatever comes of the reasoning before it', () => {
    const read = readOf(
      added(0, reasoning('rs_1', null)),
      added(1, pending('fc_1', 'call_1', 'add')),
      done(1, call('fc_1', 'call_1', 'add', '{}')),
      done(0, reasoning('rs_1', 'gAAA')),
      completed(),
    );
    const complete = read.events.find((event) => event.type === 'completeToolCall');
    expect(complete?.attributes?.['openaiResponses']).toMatchObject([{ type: 'kept', part: {} }, { type: 'call' }]);
    expect(JSON.stringify(complete)).not.toContain('gAAA');
    expect(JSON.stringify(read.response?.aiMessage.attributes)).toContain('gAAA');
  });
});
