import { describe, expect, it } from 'vitest';
import { call, calls, delta, finish, text, turnOf } from './turns.ts';

const message = (content: string | null, rest: object = {}) => ({
  role: 'assistant',
  text: content,
  toolExecutionRequests: [],
  ...rest,
});

describe('a turn of the chat-completions stream', () => {
  it('is told piece by piece and as a whole', () => {
    const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
    const { events, dones } = turnOf(
      delta({ role: 'assistant', content: '' }),
      text('Hel'),
      text('lo'),
      finish('stop'),
      { choices: [], usage },
      '[DONE]',
    );
    expect(events).toEqual([
      { type: 'partialResponse', text: 'Hel' },
      { type: 'partialResponse', text: 'lo' },
      {
        type: 'completeResponse',
        response: {
          aiMessage: message('Hello'),
          id: 'chatcmpl-1',
          modelName: 'gpt-x',
          finishReason: 'stop',
          tokenUsage: { inputTokens: 5, outputTokens: 2, totalTokens: 7 },
        },
      },
    ]);
    expect(dones).toBe(1);
  });

  it.each([7, true, {}, ['stop']])('takes a finish word that is no text (%j) for none', (word) => {
    const { response, error } = turnOf(text('x'), finish(word as never), '[DONE]');
    expect(error).toBeUndefined();
    expect(response).toMatchObject({ aiMessage: { text: 'x' } });
    expect(response).not.toHaveProperty('finishReason');
  });

  it('ends at the sentinel, whatever comes behind', () => {
    const { events, dones } = turnOf(text('x'), finish('stop'), '[DONE]', text('y'), '[DONE]', 'junk');
    expect(events.map(({ type }) => type)).toEqual(['partialResponse', 'completeResponse']);
    expect(dones).toBe(1);
  });

  it.each([
    ['stop', 'stop'],
    ['end_turn', 'stop'],
    ['eos', 'stop'],
    ['length', 'length'],
    ['max_tokens', 'length'],
    ['model_length', 'length'],
    ['stop_sequence', 'stop'],
    ['eos_token', 'stop'],
    ['COMPLETE', 'stop'],
    ['max_output_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['content_filter', 'contentFilter'],
    ['content_filtered', 'contentFilter'],
    ['content_filter: RECITATION', 'contentFilter'],
    ['sensitive', 'contentFilter'],
    ['SAFETY', 'contentFilter'],
    ['RECITATION', 'contentFilter'],
    ['PROHIBITED_CONTENT', 'contentFilter'],
    ['BLOCKLIST', 'contentFilter'],
    ['SPII', 'contentFilter'],
    ['guardrail_intervened', 'contentFilter'],
    ['refusal', 'contentFilter'],
    ['something_new', 'other'],
    ['constructor', 'other'],
  ])('knows the finish word %s as %s', (word, reason) => {
    expect(turnOf(text('x'), finish(word)).response?.finishReason).toBe(reason);
  });

  it.each(['network_error', 'server_error', 'aborted', 'cancelled', 'UNEXPECTED_TOOL_CALL', 'insufficient_system_resource'])(
    'fails at the finish word %s, and may be asked for again',
    (word) => {
      const { error, response } = turnOf(text('x'), finish(word), '[DONE]');
      expect(error).toMatchObject({ message: `openai: the provider ended the turn with an error: ${word}`, retryable: true });
      expect(response).toBeUndefined();
    },
  );

  it.each(['stop', 'tool_calls', 'tool_use', 'function_call', 'something_new'])(
    '[G1] has calls that decide, not the finish word %s',
    (word) => {
      const { response } = turnOf(calls(call(0, 'A', 's', '{}')), finish(word), '[DONE]');
      expect(response?.finishReason).toBe('toolExecution');
      expect(response?.aiMessage.toolExecutionRequests).toEqual([{ id: 'A', name: 's', arguments: '{}' }]);
    },
  );

  it('hands over its calls at the sentinel where the finish word is missing', () => {
    const { events } = turnOf(calls(call(0, 'A', 's', '')), '[DONE]');
    expect(events.map(({ type }) => type)).toEqual(['partialToolCall', 'completeToolCall', 'completeResponse']);
  });

  it.each(['length', 'content_filter'])(
    'does not hand over the last call of a turn that %s has cut, though its text is whole',
    (word) => {
      const { events, response } = turnOf(calls(call(0, 'A', 's', '{}')), finish(word), '[DONE]');
      expect(events.map(({ type }) => type)).toEqual(['partialToolCall', 'completeResponse']);
      expect(response?.aiMessage.toolExecutionRequests).toHaveLength(1);
    },
  );

  it('[G11] hands over no call at which an error came, though its text is whole', () => {
    const { events, error } = turnOf(calls(call(0, 'A', 's', '{"q":1}')), { error: { message: 'overloaded', code: 503 } });
    expect(events.map(({ type }) => type)).toEqual(['partialToolCall']);
    expect(error).toMatchObject({ message: 'openai: overloaded (code 503)', kind: 'overloaded', retryable: true });
  });

  it('knows a refusal, whose words are the text', () => {
    expect(turnOf(delta({ refusal: 'I can' }), delta({ refusal: "'t." }), finish('stop')).response).toMatchObject({
      aiMessage: message("I can't."),
      finishReason: 'contentFilter',
    });
  });

  it('leaves each raw item as it came, however many follow that are nearly the same', () => {
    const seconds = Array.from({ length: 30 }, (_, place) => ({ choices: [{ index: 1, delta: { content: `word ${place}` } }] }));
    const { events } = turnOf(...seconds, text('x'), finish('stop'), '[DONE]');
    expect(events.slice(0, 30)).toEqual(seconds.map((event) => ({ type: 'raw', event })));
  });

  it('has what it has no word for as raw items, in their place', () => {
    const odd = { id: 'x', choices: [], prompt_filter_results: [{ a: 1 }] };
    const late = { choices: [{ index: 0, content_filter_offsets: {} }] };
    expect(turnOf(odd, text('x'), late, finish('stop')).events.slice(0, 3)).toEqual([
      { type: 'raw', event: odd },
      { type: 'partialResponse', text: 'x' },
      { type: 'raw', event: late },
    ]);
  });
});

describe('thinking on the chat-completions stream', () => {
  it.each(['reasoning_content', 'reasoning'] as const)('comes as %s, and is known by that name', (field) => {
    const { events, response } = turnOf(delta({ [field]: 'Let' }), delta({ [field]: ' me' }), text('x'), finish('stop'));
    expect(events.slice(0, 2)).toEqual([
      { type: 'partialThinking', text: 'Let' },
      { type: 'partialThinking', text: ' me' },
    ]);
    expect(response?.aiMessage).toEqual(
      message('x', { thinking: 'Let me', attributes: { reasoningField: field, reasoningServer: 'test' } }),
    );
  });

  it('is told once where a server sends it under both names', () => {
    expect(turnOf(delta({ reasoning_content: 'a', reasoning: 'a' }), finish('stop')).response?.aiMessage.thinking).toBe('a');
  });

  it('keeps the details that go back with a tool turn, in order', () => {
    const details = [
      { type: 'reasoning.encrypted', data: 'x' },
      { type: 'reasoning.text', text: 'y' },
    ];
    const { response } = turnOf(
      delta({ reasoning_details: [details[0]] }),
      delta({ reasoning_details: [details[1]] }),
      text('x'),
      finish('stop'),
    );
    expect(response?.aiMessage.attributes).toEqual({ reasoningDetails: details, reasoningServer: 'test' });
  });

  it('comes among the parts of the content on some servers', () => {
    const parts = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
      { type: 'thinking', thinking: '!' },
      { type: 'text', text: 'x' },
    ];
    expect(turnOf(delta({ content: parts }), finish('stop')).response?.aiMessage).toMatchObject({ text: 'x', thinking: 'hm!' });
  });
});

describe('usage on the chat-completions stream', () => {
  const counts = { prompt_tokens: 5, completion_tokens: 2 };
  const told = { inputTokens: 5, outputTokens: 2 };

  it.each([
    ['in a chunk of its own', [text('x'), finish('stop'), { usage: counts }]],
    ['beside the last choice', [text('x'), { ...finish('stop'), usage: counts }]],
    ['within the choice', [text('x'), { choices: [{ delta: {}, finish_reason: 'stop', usage: counts }] }]],
    ['under x_groq', [text('x'), { ...finish('stop'), x_groq: { usage: counts } }]],
  ])('comes %s', (_, chunks) => {
    expect(turnOf(...chunks).response?.tokenUsage).toEqual(told);
  });

  it('[G40] is the last count, not the sum, where it comes with every chunk', () => {
    const chunk = (completion_tokens: number) => ({ ...text('x'), usage: { prompt_tokens: 5, completion_tokens } });
    expect(turnOf(chunk(1), chunk(2), finish('stop')).response?.tokenUsage).toEqual(told);
  });

  it('[G40] tells cached and reasoning tokens apart, and has nothing that was not told', () => {
    const usage = {
      ...counts,
      total_tokens: null,
      prompt_tokens_details: { cached_tokens: 3 },
      completion_tokens_details: { reasoning_tokens: 1 },
    };
    expect(turnOf(finish('stop'), { usage }).response?.tokenUsage).toEqual({ ...told, cachedInputTokens: 3, reasoningTokens: 1 });
    expect(turnOf(text('x'), finish('stop')).response).not.toHaveProperty('tokenUsage');
  });

  it('[G40] tells the cached tokens under the name that DeepSeek gives them', () => {
    const usage = { ...counts, prompt_cache_hit_tokens: 3, prompt_cache_miss_tokens: 2 };
    expect(turnOf(finish('stop'), { usage }).response?.tokenUsage).toEqual({ ...told, cachedInputTokens: 3 });
  });
});

describe('a turn that fails', () => {
  it.each([
    ['ends in the middle', [text('x')], 'interrupted', true, 'the stream ended before the model finished'],
    ['has neither output nor an end', ['[DONE]'], 'malformedResponse', true, 'the answer has neither output nor a finish reason'],
    [
      'announces calls and has none',
      [finish('tool_calls'), '[DONE]'],
      'malformedResponse',
      true,
      'the answer announces tool calls and has none',
    ],
    [
      'has a call without a name',
      [calls({ index: 0, id: 'A', function: { arguments: '{}' } }), finish('stop')],
      'malformedResponse',
      true,
      'a tool call without a name',
    ],
    ['has the finish word error', [text('x'), finish('error')], 'malformedResponse', true, 'ended the turn with an error'],
    [
      'has data that is no JSON',
      [text('x'), '{"choices":', text('y')],
      'malformedResponse',
      true,
      'is no JSON object: {"choices":',
    ],
    ['has data that is no object', ['42', text('y')], 'malformedResponse', true, 'is no JSON object: 42'],
    [
      'goes on with a call that was complete',
      [calls(call(0, 'A', 's', '{}')), text('x'), calls({ index: 0, function: { arguments: '{"q":1}' } })],
      'malformedResponse',
      false,
      'went on with a call of s',
    ],
  ] as const)('%s', (_, chunks, kind, retryable, words) => {
    const { error, response, dones } = turnOf(...chunks);
    expect(error).toMatchObject({ name: 'ChatModelError', provider: 'openai', kind, retryable });
    expect(error.message).toContain(words);
    expect(response).toBeUndefined();
    expect(dones).toBe(0);
  });

  it('is one that was cut off where the last data is half of a JSON', () => {
    expect(turnOf(text('x'), '{"choices":[{"del').error).toMatchObject({
      kind: 'interrupted',
      message: 'openai: the stream ended before the model finished',
    });
  });

  it('takes secrets out of what it shows of the stream', () => {
    expect(turnOf('sk-secret', text('x')).error.message).toBe('openai: an event of the stream is no JSON object: [redacted]');
    expect(turnOf({ error: { message: 'Bad key sk-secret' } }).error.message).toBe('openai: Bad key [redacted]');
    expect(turnOf({ error: { message: 'x', code: 'sk-secret', type: 'sk-secret' } }).error.message).not.toContain('sk-secret');
  });

  it('finds the error that Groq tells in a place of its own', () => {
    expect(turnOf({ x_groq: { error: 'over capacity' } }).error.message).toBe('openai: over capacity');
  });
});
