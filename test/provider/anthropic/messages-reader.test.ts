import { describe, expect, it } from 'vitest';
import type { ChatModelEvent } from '../../../src/chat/chat-model.ts';
import { block, call, finish, inputDelta, said, start, stop, text, textDelta, thinking, turnOf } from './turns.ts';

const raws = (events: readonly ChatModelEvent[]) => events.flatMap((event) => (event.type === 'raw' ? [event.event] : []));
const requests = (events: readonly ChatModelEvent[]) =>
  events.flatMap((event) => (event.type === 'completeToolCall' ? [event.request] : []));

describe('a Messages stream', () => {
  it('is text, thinking and calls, in the order of the wire', () => {
    const { events } = turnOf(
      ...said('tool_use', thinking(0, 'Hm.', 'SIG'), text(1, 'Let me', ' add.'), call(2, 'a', 'add', '{"x":', '1}')),
    );
    expect(events).toMatchObject([
      { type: 'partialThinking', text: 'Hm.' },
      { type: 'partialResponse', text: 'Let me' },
      { type: 'partialResponse', text: ' add.' },
      { type: 'partialToolCall', index: 0, id: 'a', name: 'add', partialArguments: '' },
      { type: 'partialToolCall', partialArguments: '{"x":' },
      { type: 'partialToolCall', partialArguments: '1}' },
      { type: 'completeToolCall', index: 0, request: { id: 'a', name: 'add', arguments: '{"x":1}' } },
      {
        type: 'completeResponse',
        response: {
          id: 'msg_1',
          modelName: 'claude-x',
          finishReason: 'toolExecution',
          aiMessage: { text: 'Let me add.', thinking: 'Hm.' },
        },
      },
    ]);
  });

  it('has a plain answer without anything to be kept', () => {
    expect(turnOf(...said('end_turn', text(0, 'Hello'))).response!.aiMessage).toEqual({
      role: 'assistant',
      text: 'Hello',
      toolExecutionRequests: [],
    });
  });

  it('completes a call at the end of its block, with the signatures so far, while the turn goes on', () => {
    const { events } = turnOf(
      start(),
      ...thinking(0, 'Hm.', 'SIG'),
      ...call(1, 'a', 'add', '{"x":1}'),
      ...text(2, 'Meanwhile'),
      finish('tool_use'),
      stop,
    );
    const complete = events.findIndex(({ type }) => type === 'completeToolCall');
    expect(events[complete]).toMatchObject({
      attributes: {
        anthropic: [
          { type: 'kept', part: { type: 'thinking', thinking: 'Hm.', signature: 'SIG' } },
          { type: 'call', id: 'a' },
        ],
      },
    });
    expect(events[complete + 1]).toMatchObject({ type: 'partialResponse', text: 'Meanwhile' });
  });

  it('keeps calls apart by their blocks, also where the pieces come side by side', () => {
    const pieces = (index: number, ...deltas: object[]) => deltas.map((delta) => ({ type: 'content_block_delta', index, delta }));
    const opened = (index: number, id: string) => ({
      type: 'content_block_start',
      index,
      content_block: { type: 'tool_use', id, name: 'add', input: {} },
    });
    const { response } = turnOf(
      start(),
      opened(0, 'a'),
      opened(1, 'b'),
      ...pieces(0, inputDelta('{"x":')),
      ...pieces(1, inputDelta('{"x":2}')),
      ...pieces(0, inputDelta('1}')),
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_stop', index: 1 },
      finish('tool_use'),
      stop,
    );
    expect(response!.aiMessage.toolExecutionRequests.map((request) => request.arguments)).toEqual(['{"x":1}', '{"x":2}']);
  });

  it.each([
    ['as an object', { x: 1 }],
    ['as text', '{"x":1}'],
  ])('takes arguments that a bridge gives whole, with the beginning of the block, %s', (_, input) => {
    const whole = block(0, { type: 'tool_use', id: 'a', name: 'add', input });
    expect(requests(turnOf(...said('tool_use', whole)).events)).toEqual([{ id: 'a', name: 'add', arguments: '{"x":1}' }]);
    const twice = block(0, { type: 'tool_use', id: 'a', name: 'add', input }, inputDelta('{"x":2}'));
    expect(requests(turnOf(...said('tool_use', twice)).events)).toEqual([{ id: 'a', name: 'add', arguments: '{"x":2}' }]);
  });

  it('[G55] takes a call without arguments, whose block tells none', () => {
    const { events, response } = turnOf(...said('tool_use', call(0, 'a', 'now', '')));
    expect(requests(events)).toEqual([{ id: 'a', name: 'now', arguments: '' }]);
    expect(response!.finishReason).toBe('toolExecution');
  });

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['tool_use', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'contentFilter'],
    ['pause_turn', 'other'],
    ['something_new', 'other'],
    ['constructor', 'other'],
  ])('ends a text with %s as %s', (word, meaning) => {
    expect(turnOf(...said(word, text(0, 'Hello'))).response!.finishReason).toBe(meaning);
  });

  it('shows why the model refused', () => {
    const refused = { type: 'message_delta', delta: { stop_reason: 'refusal', stop_details: { category: 'bio' } } };
    const { events, response } = turnOf(start(), refused, stop);
    expect(raws(events)).toEqual([refused]);
    expect(response!.finishReason).toBe('contentFilter');
  });

  it('hands over no call that the limit has cut, though its block has an end', () => {
    const { events, response } = turnOf(...said('max_tokens', call(0, 'a', 'add', '{"x":')));
    expect(requests(events)).toEqual([]);
    expect(response!.finishReason).toBe('length');
  });

  it('counts input without the cache, which is told beside it, and a total of all', () => {
    const usage = { input_tokens: 4, cache_creation_input_tokens: 100, cache_read_input_tokens: 900, output_tokens: 1 };
    const { response } = turnOf(
      start(usage),
      ...text(0, 'ok'),
      finish('end_turn', { output_tokens: 12, input_tokens: null, output_tokens_details: { thinking_tokens: 5 } }),
      stop,
    );
    expect(response!.tokenUsage).toEqual({
      inputTokens: 4,
      outputTokens: 12,
      totalTokens: 1016,
      cachedInputTokens: 900,
      cacheCreationInputTokens: 100,
      reasoningTokens: 5,
    });
  });

  it('tells no count that the wire does not tell', () => {
    const bare = { type: 'message_start', message: { id: 'msg_1' } };
    expect(turnOf(bare, ...text(0, 'ok'), finish('end_turn', {}), stop).response).not.toHaveProperty('tokenUsage');
    expect(turnOf(bare, ...text(0, 'ok'), finish('end_turn', { output_tokens: 3 }), stop).response!.tokenUsage).toEqual({
      outputTokens: 3,
    });
  });

  it('shows what has no place among the events as it came, and nothing of a ping', () => {
    const citation = { type: 'citations_delta', citation: { url: 'https://x' } };
    const search = block(1, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }, inputDelta('{}'));
    const { events } = turnOf(
      ...said(
        'end_turn',
        [{ type: 'ping' }, { type: 'shiny_new_event' }, {}],
        block(0, { type: 'text', text: 'A' }, citation, textDelta('B')),
        search,
      ),
    );
    expect(raws(events)).toEqual([
      { type: 'shiny_new_event' },
      {},
      { type: 'content_block_delta', index: 0, delta: citation },
      search[0],
      search[1],
    ]);
  });

  it('is one message though it is announced twice, and fails when a second one begins inside it', () => {
    expect(turnOf(start(), start(), ...text(0, 'Hello'), finish('end_turn'), stop).response!.aiMessage.text).toBe('Hello');
    const { error, response } = turnOf(start(), ...text(0, 'Hello'), start(), ...text(0, 'Hello'), finish('end_turn'), stop);
    expect(response).toBeUndefined();
    expect(error).toMatchObject({ kind: 'malformedResponse', retryable: true });
    expect(error.message).toBe('anthropic: a second message began while the first was open');
  });

  it('reads servers that leave out the beginning, the end or the place of a block', () => {
    const { response } = turnOf(
      start(),
      { type: 'content_block_delta', delta: textDelta('Let me') },
      { type: 'content_block_delta', delta: textDelta(' add.') },
      { type: 'content_block_start', content_block: { type: 'thinking', thinking: 'Hm.', signature: 'SIG' } },
      { type: 'content_block_start', content_block: { type: 'tool_use', id: 'a', name: 'add', input: {} } },
      { type: 'content_block_delta', delta: inputDelta('{"x":1}') },
      finish('tool_use'),
      stop,
    );
    expect(response!.aiMessage).toMatchObject({
      text: 'Let me add.',
      thinking: 'Hm.',
      toolExecutionRequests: [{ id: 'a', name: 'add', arguments: '{"x":1}' }],
      attributes: {
        anthropic: [
          { type: 'text', length: 11 },
          { type: 'kept', part: { signature: 'SIG' } },
          { type: 'call', id: 'a' },
        ],
      },
    });
  });

  it('fails on a call that has no name', () => {
    const { error } = turnOf(
      start(),
      { type: 'content_block_delta', index: 0, delta: inputDelta('{}') },
      finish('tool_use'),
      stop,
    );
    expect(error.message).toBe('anthropic: the answer has a tool call without a name');
  });

  it('fails when it ends before message_stop, and when it says nothing at all', () => {
    expect(turnOf(start(), ...text(0, 'Half')).error).toMatchObject({ kind: 'interrupted', retryable: true });
    expect(turnOf(start(), stop).error).toMatchObject({ kind: 'malformedResponse' });
  });

  it('shows a message that was told whole when it began, and keeps it', () => {
    const content = [{ type: 'tool_use', id: 'a', name: 'rollDie', input: {}, caller: { type: 'code_execution', tool_id: 's' } }];
    const told = { type: 'message_start', message: { id: 'msg_1', content } };
    const { events, response } = turnOf(told, stop);
    expect(raws(events)).toEqual([told]);
    expect(response!.aiMessage).toMatchObject({ text: null, toolExecutionRequests: [], attributes: { prefilled: content } });
  });
});
