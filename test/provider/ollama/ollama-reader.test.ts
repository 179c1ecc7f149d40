import { describe, expect, it } from 'vitest';
import { call, calls, done, line, text, turnOf, turnOfTexts, type Turn } from './lines.ts';

/** The calls that were complete before the done line. */
const completeIn = ({ events }: Turn) =>
  events.flatMap((event) =>
    event.type === 'completeToolCall' ? [[event.index, event.request.id, event.request.arguments]] : [],
  );

describe('ollamaReader', () => {
  it('tells text and thinking as they come, and the model and counts at the end', () => {
    const counts = { total_duration: 1, prompt_eval_count: 10, eval_count: 5 };
    const { events, response } = turnOf(line({ content: '', thinking: 'Hm' }), text('A'), text('B'), done('stop', counts));
    expect(events.slice(0, -1)).toEqual([
      { type: 'partialThinking', text: 'Hm' },
      { type: 'partialResponse', text: 'A' },
      { type: 'partialResponse', text: 'B' },
    ]);
    expect(response).toEqual({
      aiMessage: { role: 'assistant', text: 'AB', thinking: 'Hm', toolExecutionRequests: [] },
      modelName: 'qwen3',
      finishReason: 'stop',
      tokenUsage: { inputTokens: 10, outputTokens: 5 },
    });
  });

  it('tells thinking before text, and text before calls, where one line has them all', () => {
    const message = { content: 'One moment.', thinking: 'Hm', tool_calls: [call('add', { x: 1 })] };
    expect(turnOf(line(message), done('stop')).events.map(({ type }) => type)).toEqual([
      'partialThinking',
      'partialResponse',
      'partialToolCall',
      'completeToolCall',
      'completeResponse',
    ]);
  });

  it('has no count that the server did not tell: absent is not zero', () => {
    expect(turnOf(text('A'), done('stop', { eval_count: 5 })).response?.tokenUsage).toEqual({ outputTokens: 5 });
    expect(turnOf(text('A'), done('stop', { prompt_eval_count: null })).response).not.toHaveProperty('tokenUsage');
  });

  it('hands over a call at once when it comes, while the model still streams', () => {
    const { events } = turnOf(
      calls(call('add', { x: 1 }, 'call_1')),
      text('More.'),
      calls(call('add', { x: 2 }, 'call_2')),
      done('stop'),
    );
    expect(events.map(({ type }) => type)).toEqual([
      'partialToolCall',
      'completeToolCall',
      'partialResponse',
      'partialToolCall',
      'completeToolCall',
      'completeResponse',
    ]);
  });

  it('gives calls without ids some of their own, though their index repeats', () => {
    const indexed = (x: number) => ({ function: { index: 0, name: 'add', arguments: { x } } });
    const turn = turnOf(calls(indexed(1), indexed(2)), calls(indexed(2)), done('stop'));
    expect(completeIn(turn)).toEqual([
      [0, 'made-1', '{"x":1}'],
      [1, 'made-2', '{"x":2}'],
      [2, 'made-3', '{"x":2}'],
    ]);
    expect(turn.response?.finishReason).toBe('toolExecution');
  });

  it.each([
    ['in a list', (call: string) => `[{"function":{"name":"now"}},${call}]`, 1],
    ['alone', (call: string) => call, 0],
  ])('leaves the digits of long numbers in the arguments as they were written, in a call %s', (_, callsOf, place) => {
    const written = '{"id":12345678901234567890,"x":[-0.12345678901234567890,1e400]}';
    const told = callsOf(`{"function":{"name":"add","arguments":${written}}}`);
    const turn = turnOfTexts(`{"message":{"content":"","tool_calls":${told}},"done":false}`, JSON.stringify(done('stop')));
    expect(completeIn(turn)[place]?.[2]).toBe(written);
    expect(turn.response?.aiMessage.toolExecutionRequests[place]?.arguments).toBe(written);
  });

  it('takes a call that is told twice with its id for one, and one that only shares the id for another', () => {
    const one = call('add', { x: 1 }, 'call_1');
    const turn = turnOf(
      calls(one),
      calls(one, call('add', { x: 2 }, 'call_1')),
      done('stop', { message: { tool_calls: [one] } }),
    );
    expect(completeIn(turn)).toEqual([
      [0, 'call_1', '{"x":1}'],
      [1, 'made-1', '{"x":2}'],
    ]);
  });

  it.each([
    ['an object', { x: 1 }, '{"x":1}'],
    ['JSON text', '{"x":1}', '{"x":1}'],
    ['absent', undefined, '{}'],
    ['null', null, '{}'],
    ['empty text', '', '{}'],
    ['an empty object', {}, '{}'],
  ])('[G55] takes arguments that are %s', (_, written, told) => {
    expect(completeIn(turnOf(calls(call('add', written, 'call_1')), done('stop')))).toEqual([[0, 'call_1', told]]);
  });

  it.each([[[1]], ['{"x":'], [1], [true]])(
    'hands over arguments that are no object only at the end of the turn: %j',
    (written) => {
      const twice = calls(call('add', written), call('add', written));
      const { events, response } = turnOf(twice, text('A'), done('stop'));
      const types = events.map(({ type }) => type);
      expect(types.indexOf('completeToolCall')).toBeGreaterThan(types.indexOf('partialResponse'));
      const told = typeof written === 'string' ? written : JSON.stringify(written);
      expect(response?.aiMessage.toolExecutionRequests.map((request) => request.arguments)).toEqual([told, told]);
    },
  );

  it('lets the finish word decide on a call that comes with it', () => {
    const last = { message: { tool_calls: [call('add', { x: 1 }, 'call_1')] } };
    expect(completeIn(turnOf(done('stop', last)))).toEqual([[0, 'call_1', '{"x":1}']]);
    expect(completeIn(turnOf(done(undefined, last)))).toEqual([[0, 'call_1', '{"x":1}']]);
    const cut = turnOf(done('length', last));
    expect(completeIn(cut)).toEqual([]);
    expect(cut.response?.finishReason).toBe('length');
  });

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['constructor', 'other'],
    ['something new', 'other'],
  ])('takes the finish word %s as %s', (word, reason) => {
    expect(turnOf(text('A'), done(word)).response?.finishReason).toBe(reason);
  });

  it('takes the done line of an older server, which has no finish word, as the end', () => {
    const { response } = turnOf(text('A'), done());
    expect(response?.aiMessage.text).toBe('A');
    expect(response).not.toHaveProperty('finishReason');
    expect(turnOf(done()).error).toMatchObject({ kind: 'malformedResponse', retryable: true });
  });

  it.each(['load', 'unload'])('fails when the server only says %s, which is no answer, and does not ask again', (word) => {
    const { error, response } = turnOf(done(word));
    expect(response).toBeUndefined();
    expect(error).toMatchObject({ kind: 'malformedResponse', retryable: false });
    expect(error?.message).toBe(
      `ollama: the server answered with ${word} and nothing else, as it does where no message of a user is sent`,
    );
  });

  it('fails when the stream ends before the done line', () => {
    expect(turnOf(text('A')).error).toMatchObject({
      kind: 'interrupted',
      message: 'ollama: the stream ended before the done line',
    });
  });

  it('fails with the error of a line, and hands over no answer', () => {
    const { error, response } = turnOf(text('A'), { error: "error parsing tool call: raw='{'" }, done('stop'));
    expect(error?.message).toBe("ollama: error parsing tool call: raw='{'");
    expect(response).toBeUndefined();
  });

  it('fails with an error whose key is half of its words', () => {
    const { error, response } = turnOf(text('A'), { 'error parsing tool call': "raw='{'" }, done('stop'));
    expect(error?.message).toBe("ollama: error parsing tool call: raw='{'");
    expect(response).toBeUndefined();
  });

  it('fails when a call has no name', () => {
    expect(turnOf(calls({ function: { arguments: {} } }), done('stop')).error?.kind).toBe('malformedResponse');
  });

  it('shows a line that has no place among the events', () => {
    const { events } = turnOf({ status: 'pulling' }, text('A'), done('stop'));
    expect(events[0]).toEqual({ type: 'raw', event: { status: 'pulling' } });
  });

  it('makes nothing of fields that are not what they should be', () => {
    const odd = [
      line({ content: null, thinking: null, tool_calls: null }),
      line({ content: 1, thinking: {}, tool_calls: [] }),
      line({ tool_calls: [null, 1] }),
      { model: null, message: 'text', done: false },
      { model: 1, message: [], done: null },
    ];
    const { response, error } = turnOf(...odd, text('A'), done('stop', { eval_count: 'many' }));
    expect(error).toBeUndefined();
    expect(response?.aiMessage).toEqual({ role: 'assistant', text: 'A', toolExecutionRequests: [] });
    expect(response).not.toHaveProperty('tokenUsage');
  });
});
