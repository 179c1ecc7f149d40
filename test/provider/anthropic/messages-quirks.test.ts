import { describe, expect, it } from 'vitest';
import type { ChatModelEvent } from '../../../src/chat/chat-model.ts';
import { block, call, finish, inputDelta, said, start, stop, text, textDelta, turnOf } from './turns.ts';

const requests = (events: readonly ChatModelEvent[]) =>
  events.flatMap((event) => (event.type === 'completeToolCall' ? [event.request] : []));
const raws = (events: readonly ChatModelEvent[]) => events.filter(({ type }) => type === 'raw');
const spoken = (events: readonly ChatModelEvent[]) =>
  events.flatMap<unknown>((event) => {
    if (event.type === 'partialResponse') return [event.text];
    return event.type === 'partialThinking' ? [{ thinking: event.text }] : [];
  });

const opened = (index: number, id: string) => ({
  type: 'content_block_start',
  index,
  content_block: { type: 'tool_use', id, name: 'add', input: {} },
});
const delta = (index: number, told: object) => ({ type: 'content_block_delta', index, delta: told });
const closed = (index: number) => ({ type: 'content_block_stop', index });
const thinkingDelta = (thinking: string) => ({ type: 'thinking_delta', thinking });
const add = (written: string, id = 'a') => ({ id, name: 'add', arguments: written });

describe('a Messages stream whose deltas stand in the wrong place', () => {
  it('takes arguments that come as an object', () => {
    const input = { type: 'input_json_delta', partial_json: { x: 1 } };
    const whole = block(0, { type: 'tool_use', id: 'a', name: 'add', input: {} }, input);
    expect(requests(turnOf(...said('tool_use', whole)).events)).toEqual([add('{"x":1}')]);
    const search = block(0, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }, input);
    const { response } = turnOf(...said('end_turn', search, text(1, 'Sunny')));
    expect(response!.aiMessage.attributes).toMatchObject({ anthropic: [{ part: { id: 's', input: { x: 1 } } }, {}] });
  });

  it.each([
    ['of a text', 0],
    ['that is unknown', 7],
    ['of a call that is over', 1],
  ])('takes arguments at a place %s for those of the call that is open', (_, wrong) => {
    const { events, response } = turnOf(
      start(),
      ...text(0, 'So'),
      ...call(1, 'a', 'add', '{"x":1}'),
      opened(2, 'b'),
      delta(wrong, inputDelta('{"x":')),
      delta(2, inputDelta('2}')),
      closed(2),
      finish('tool_use'),
      stop,
    );
    expect(requests(events)).toEqual([add('{"x":1}'), add('{"x":2}', 'b')]);
    expect(response!.aiMessage.text).toBe('So');
  });

  it('shows arguments at the place of a text as they came where no call is open', () => {
    const stray = delta(0, inputDelta('{}'));
    const { events, response } = turnOf(start(), ...text(0, 'So'), stray, finish('end_turn'), stop);
    expect(raws(events)).toEqual([{ type: 'raw', event: stray }]);
    expect(response!.aiMessage).toMatchObject({ text: 'So', toolExecutionRequests: [] });
  });

  it('tells thinking within a text, and text within thinking, as what the delta says', () => {
    const inText = block(0, { type: 'text', text: '' }, thinkingDelta('Hm'), textDelta('So'), textDelta(' be it'));
    const inThinking = block(1, { type: 'thinking', thinking: '' }, thinkingDelta('Hm'), textDelta('So'), thinkingDelta(' no'));
    expect(spoken(turnOf(...said('end_turn', inText)).events)).toEqual([{ thinking: 'Hm' }, 'So', ' be it']);
    expect(spoken(turnOf(...said('end_turn', inThinking)).events)).toEqual([{ thinking: 'Hm' }, 'So', { thinking: ' no' }]);
  });

  it('keeps thinking that was signed before the text within it', () => {
    const signed = block(
      0,
      { type: 'thinking', thinking: '' },
      thinkingDelta('Hm'),
      { type: 'signature_delta', signature: 'SIG' },
      textDelta('So'),
    );
    expect(turnOf(...said('end_turn', signed)).response!.aiMessage.attributes).toEqual({
      anthropic: [
        { type: 'kept', part: { type: 'thinking', thinking: 'Hm', signature: 'SIG' } },
        { type: 'text', length: 2 },
      ],
    });
  });

  it('tells text and thinking within a call, which goes on behind them', () => {
    const { events, response } = turnOf(
      start(),
      opened(0, 'a'),
      delta(0, inputDelta('{"x":')),
      delta(0, textDelta('So')),
      delta(0, thinkingDelta('Hm')),
      delta(0, inputDelta('1}')),
      closed(0),
      finish('tool_use'),
      stop,
    );
    expect(spoken(events)).toEqual(['So', { thinking: 'Hm' }]);
    expect(requests(events)).toEqual([add('{"x":1}')]);
    expect(response!.finishReason).toBe('toolExecution');
  });
});

describe('a message that did not stream', () => {
  const content = [
    { type: 'thinking', thinking: 'Hm', signature: 'SIG' },
    { type: 'text', text: 'So' },
    { type: 'tool_use', id: 'a', name: 'add', input: { x: 1 } },
  ];
  const whole = (blocks: readonly object[], stop_reason: string | null = null) => ({
    type: 'message_start',
    message: { id: 'msg_1', content: blocks, stop_reason },
  });

  it.each([
    ['at its end', [whole(content), finish('tool_use'), stop]],
    ['at its beginning', [whole(content, 'tool_use'), stop]],
  ])('is told as if it had, when it says %s how it ended', (_, events) => {
    const turn = turnOf(...events);
    expect(spoken(turn.events)).toEqual([{ thinking: 'Hm' }, 'So']);
    expect(requests(turn.events)).toEqual([add('{"x":1}')]);
    expect(turn.response).toMatchObject({
      finishReason: 'toolExecution',
      aiMessage: {
        text: 'So',
        attributes: { anthropic: [{ type: 'kept', part: content[0] }, { type: 'text' }, { type: 'call', id: 'a' }] },
      },
    });
  });

  it('is not told twice where it streams behind its beginning', () => {
    const { response } = turnOf(whole([{ type: 'text', text: 'So' }]), ...text(0, 'So'), finish('end_turn'), stop);
    expect(response!.aiMessage.text).toBe('So');
  });

  it('is none of ours where a tool of the server has made its calls', () => {
    const caller = { type: 'code_execution_20250825', tool_id: 's' };
    const { response } = turnOf(whole([{ ...content[2], caller }], 'tool_use'), stop);
    expect(response!.aiMessage).toMatchObject({
      text: null,
      toolExecutionRequests: [],
      attributes: { prefilled: [{ id: 'a' }] },
    });
  });

  it('hands over no call that the limit has cut', () => {
    const { events, response } = turnOf(whole(content), finish('max_tokens'), stop);
    expect(response!.finishReason).toBe('length');
    expect(requests(events)).toEqual([]);
  });
});
