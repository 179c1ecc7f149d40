import { describe, expect, it } from 'vitest';
import { parseMessages } from '../../../src/chat/parse-messages.ts';
import { answered, assistant, bodyText, result, sentBlocks, sentMessages, user } from './bodies.ts';
import { block, call, inputDelta, said, text, textDelta, thinking } from './turns.ts';

const thought = (thinking: string, signature: string) => ({ type: 'thinking', thinking, signature });
const spoken = (text: string) => ({ type: 'text', text });
const add = { type: 'tool_use', id: 'a', name: 'add', input: { x: 1 } };
const redacted = { type: 'redacted_thinking', data: 'DATA' };

describe('an answer on its way back', () => {
  it('[G49] begins with its thinking and the signature, as they came', () => {
    const message = answered(
      ...said('tool_use', thinking(0, 'Hm.', 'SIG'), text(1, 'Let me add.'), call(2, 'a', 'add', '{"x":1}')),
    );
    expect(sentBlocks(message)).toEqual([thought('Hm.', 'SIG'), spoken('Let me add.'), add]);
  });

  it('keeps thinking that is hidden: a signature without text, and redacted blocks', () => {
    const message = answered(...said('tool_use', block(0, redacted), thinking(1, '', 'U0lH'), call(2, 'a', 'add', '{"x":1}')));
    expect(message.thinking).toBeUndefined();
    expect(sentBlocks(message)).toEqual([redacted, thought('', 'U0lH'), add]);
  });

  it('keeps thinking between texts and calls where it was', () => {
    const message = answered(
      ...said(
        'tool_use',
        text(0, 'One.'),
        thinking(1, 'Hm.', 'S1'),
        text(2, 'Two.'),
        thinking(3, 'So.', 'S2'),
        call(4, 'a', 'add', '{"x":1}'),
      ),
    );
    expect(sentBlocks(message)).toEqual([spoken('One.'), thought('Hm.', 'S1'), spoken('Two.'), thought('So.', 'S2'), add]);
  });

  it('leaves out thinking behind which nothing was said', () => {
    const message = answered(...said('max_tokens', text(0, 'One.'), thinking(1, 'Hm.', 'S1'), block(2, redacted)));
    expect(sentBlocks(message)).toEqual([spoken('One.')]);
    expect(sentBlocks(answered(...said('max_tokens', thinking(0, 'Hm.', 'S1'))))).toBeUndefined();
  });

  it('leaves out thinking without a signature, be it of a cut turn or of another provider', () => {
    expect(sentBlocks(answered(...said('end_turn', thinking(0, 'Hm.', ''), text(1, 'One.'))))).toEqual([spoken('One.')]);
    const foreign = assistant('One.', [{ id: 'a', name: 'add', arguments: '{"x":1}' }], {
      thinking: 'I should add.',
      attributes: { reasoningField: 'reasoning_content', gemini: [{ type: 'kept', part: { thought: true } }] },
    });
    expect(sentBlocks(foreign)).toEqual([spoken('One.'), add]);
  });

  it('does not trust attributes that hold something else than blocks', () => {
    const parts = [null, 'x', { text: 'no type' }, { type: 'thinking', thinking: 'unsigned' }].map((part) => ({
      type: 'kept',
      part,
    }));
    expect(sentBlocks(assistant('One.', [], { attributes: { anthropic: parts } }))).toEqual([spoken('One.')]);
    expect(sentBlocks(assistant('One.', [], { attributes: { anthropic: 'x' } }))).toEqual([spoken('One.')]);
  });

  it('keeps what the server did itself, with its arguments and results', () => {
    const search = { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: {} };
    const found = {
      type: 'web_search_tool_result',
      tool_use_id: 'srv_1',
      content: [{ type: 'web_search_result', encrypted_content: 'X' }],
    };
    const citation = {
      type: 'web_search_result_location',
      url: 'https://x',
      cited_text: 'rain',
      encrypted_index: 'E',
      title: null,
    };
    const message = answered(
      ...said(
        'end_turn',
        text(0, 'I look it up.'),
        block(1, search, inputDelta(''), inputDelta('{"query":'), inputDelta('"rain"}')),
        block(2, found),
        block(3, { type: 'text', text: '', citations: [] }, { type: 'citations_delta', citation }, textDelta('It rains.')),
        text(4, ' Take a coat.'),
      ),
    );
    expect(message.text).toBe('I look it up.It rains. Take a coat.');
    expect(sentBlocks(message)).toEqual([
      spoken('I look it up.'),
      { ...search, input: { query: 'rain' } },
      found,
      { ...spoken('It rains.'), citations: [citation] },
      spoken(' Take a coat.'),
    ]);
  });

  it('keeps a block of a type that nobody knows, put together from its pieces', () => {
    const message = answered(
      ...said(
        'end_turn',
        block(0, { type: 'holo_block', data: 'a', size: 1 }, { type: 'holo_delta', data: 'b', size: 2 }),
        text(1, 'One.'),
      ),
    );
    expect(sentBlocks(message)).toEqual([{ type: 'holo_block', data: 'ab', size: 2 }, spoken('One.')]);
  });

  describe('with a call of the server that has no result', () => {
    const search = { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { query: 'rain' } };
    const paused = answered(...said('pause_turn', text(0, 'I look it up.'), block(1, search)));

    it('goes back whole while the turn can go on', () => {
      expect(sentMessages(user('Rain?'), paused)).toMatchObject([{}, { content: [spoken('I look it up.'), search] }]);
      const found = { type: 'web_search_tool_result', tool_use_id: 'srv_1', content: [] };
      const rest = answered(...said('end_turn', block(0, found), text(1, 'It rains.')));
      expect(sentMessages(user('Rain?'), paused, rest, user('Thanks'))).toMatchObject([
        {},
        { content: [spoken('I look it up.'), search, found, spoken('It rains.')] },
        {},
      ]);
    });

    it('goes back without it when the user has spoken, since the API would refuse it', () => {
      expect(sentMessages(user('Rain?'), paused, { role: 'system', text: 'Be short.' }, user('Never mind'))).toMatchObject([
        {},
        { content: [spoken('I look it up.')] },
        {},
      ]);
    });

    it('goes back with it beside a call of ours, whose result it waits for', () => {
      const message = answered(...said('tool_use', block(0, search), call(1, 'a', 'add', '{"x":1}')));
      expect(sentMessages(user('Rain?'), message, result('a', 'add', '1'))).toMatchObject([{}, { content: [search, add] }, {}]);
    });

    it('goes back without it when its arguments were cut', () => {
      const cut = answered(
        ...said('max_tokens', text(0, 'I look it up.'), block(1, { ...search, input: {} }, inputDelta('{"query":"ra'))),
      );
      expect(sentBlocks(cut)).toEqual([spoken('I look it up.')]);
    });
  });

  it('tells which of the server’s tools made a call', () => {
    const caller = { type: 'code_execution_20260120', tool_id: 'srv_1' };
    const made = (by: object) =>
      answered(...said('tool_use', block(0, { type: 'tool_use', id: 'a', name: 'add', input: { x: 1 }, caller: by })));
    expect(sentBlocks(made(caller))).toEqual([{ ...add, caller }]);
    expect(made({ type: 'direct' }).attributes).toBeUndefined();
  });

  it('has the arguments as the model wrote them, digits and all', () => {
    const written = '{"id":12345678901234567890, "x" :1.0}';
    const body = bodyText({ messages: [assistant(null, [{ id: 'a', name: 'add', arguments: written }])] });
    expect(body).toContain(`"input":${written}`);
  });

  it.each([
    ['', {}],
    [' ', {}],
    ['null', {}],
    ['{"x": "she said "hi""}', { INVALID_JSON: '{"x": "she said "hi""}' }],
    ['{"x": 1', { INVALID_JSON: '{"x": 1' }],
    ['[1]', { INVALID_JSON: '[1]' }],
    ['"x"', { INVALID_JSON: '"x"' }],
  ])('shows the model arguments that are no object as it wrote them: %j', (written, input) => {
    expect(sentBlocks(assistant(null, [{ id: 'a', name: 'add', arguments: written }]))).toEqual([{ ...add, input }]);
  });

  it('says what the history says now, where it was changed', () => {
    const message = answered(
      ...said('tool_use', text(0, 'One.'), thinking(1, 'Hm.', 'S1'), text(2, 'Two.'), call(3, 'a', 'add', '{"x":1}')),
    );
    expect(sentBlocks({ ...message, text: 'Something else.', toolExecutionRequests: [] })).toEqual([spoken('Something else.')]);
  });

  it('[G46] is the same byte for byte after the history went through JSON', () => {
    const history = [
      user('Rain?'),
      answered(
        ...said(
          'tool_use',
          block(0, redacted),
          thinking(1, 'Need the wéather 🌧.', 'SIG'),
          text(2, 'Let me see.'),
          block(3, { type: 'server_tool_use', id: 'srv_1', name: 'x', input: {} }, inputDelta('{"q":1.50}')),
          block(4, { type: 'x_tool_result', tool_use_id: 'srv_1', content: null }),
          call(5, '', 'get_weather', '{"n":1.0}'),
          call(6, 'b', 'get_weather'),
        ),
      ),
      result('made-1', 'get_weather', 'rain'),
      result('b', 'get_weather', '', true),
    ];
    const stored = parseMessages(JSON.parse(JSON.stringify(history)));
    expect(bodyText({ messages: stored })).toBe(bodyText({ messages: history }));
    expect(bodyText({ messages: stored })).toContain('"id":"made-1"');
  });
});
