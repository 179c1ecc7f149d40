import { describe, expect, it } from 'vitest';
import { completed, finish, functionCall, parts, pieces, text, turnOf, turnOfTexts } from './turns.ts';

const x = { name: 'x', args: { n: 1 } };

describe('a stream of Gemini', () => {
  it('says which answer it is, of which model, and what it took', () => {
    const usage = (candidatesTokenCount: number) => ({
      usageMetadata: {
        promptTokenCount: 10,
        candidatesTokenCount,
        totalTokenCount: 17 + candidatesTokenCount,
        thoughtsTokenCount: 7,
        cachedContentTokenCount: 4,
      },
    });
    const { response } = turnOf(
      { ...parts(text('Hel')), ...usage(1), modelVersion: 'gemini-x', responseId: 'r1' },
      { ...finish('STOP', text('lo')), ...usage(2), modelVersion: 'gemini-x', responseId: 'r1' },
    );
    expect(response).toEqual({
      aiMessage: { role: 'assistant', text: 'Hello', toolExecutionRequests: [] },
      id: 'r1',
      modelName: 'gemini-x',
      finishReason: 'stop',
      tokenUsage: { inputTokens: 10, outputTokens: 9, totalTokens: 19, cachedInputTokens: 4, reasoningTokens: 7 },
    });
  });

  it('has no counts that were not told', () => {
    const vertex = { usageMetadata: { trafficType: 'ON_DEMAND' } };
    expect(turnOf({ ...finish('STOP', text('a')), ...vertex }).response).not.toHaveProperty('tokenUsage');
    const counted = { usageMetadata: { promptTokenCount: 3, totalTokenCount: 3 } };
    expect(turnOf({ ...parts(text('a')), ...counted }, { ...finish('STOP'), ...vertex }).response?.tokenUsage).toEqual({
      inputTokens: 3,
      totalTokens: 3,
    });
  });

  it('tells thoughts apart from the answer', () => {
    const { events, response } = turnOf(parts({ text: 'Hm.', thought: true }), finish('STOP', text('Yes')));
    expect(events.map(({ type }) => type)).toEqual(['partialThinking', 'partialResponse', 'completeResponse']);
    expect(response?.aiMessage).toMatchObject({ thinking: 'Hm.', text: 'Yes' });
  });

  it('hands over a call while the stream goes on, with its signature', () => {
    const { events } = turnOf(parts(functionCall({ ...x, id: 'p1' }, 'sig')), parts(text('so')), finish('STOP'));
    expect(events.slice(0, 3)).toEqual([
      { type: 'partialToolCall', index: 0, id: 'p1', name: 'x', partialArguments: '{"n":1}' },
      {
        type: 'completeToolCall',
        index: 0,
        request: { id: 'p1', name: 'x', arguments: '{"n":1}' },
        attributes: { gemini: [{ type: 'call', id: 'p1', extra: { id: 'p1', thoughtSignature: 'sig' } }] },
      },
      { type: 'partialResponse', text: 'so' },
    ]);
  });

  it('has the calls of one tool as calls of their own, with or without ids', () => {
    const turn = turnOf(
      parts(functionCall(x), functionCall(x)),
      finish('STOP', functionCall({ ...x, id: 'p' }), functionCall({ ...x, id: 'p', args: { n: 2 } })),
    );
    expect(completed(turn)).toEqual(['0 x made-1 {"n":1}', '1 x made-2 {"n":1}', '2 x p {"n":1}', '3 x made-3 {"n":2}']);
    expect(turn.response?.finishReason).toBe('toolExecution');
  });

  it('takes a call that is told twice with its id for one', () => {
    const call = functionCall({ ...x, id: 'p' });
    const turn = turnOf(parts(functionCall({ ...x, id: 'p' }, 'sig')), parts(text('so')), finish('STOP', call, functionCall(x)));
    expect(completed(turn)).toEqual(['0 x p {"n":1}', '1 x made-1 {"n":1}']);
  });

  it('leaves the digits of long numbers in the arguments as they were written', () => {
    const written = '{"id": 12345678901234567890, "deep": [{"x": -0.12345678901234567890, "y": 1e400}]}';
    const call = `{"functionCall":{"args": ${written},"name":"x"}}`;
    const chunk = (index: number, parts: string) => `{"content":{"role":"model","parts":[${parts}]},"index":${index}}`;
    const turn = turnOfTexts(
      `{"candidates":[${chunk(1, '{"text":"other"}')},${chunk(0, `null,{"text":"So"},${call}`)}]}`,
      JSON.stringify(finish('STOP', functionCall({ name: 'x', args: { n: 1, text: '1234567890123456' } }))),
    );
    expect(completed(turn)).toEqual([`0 x made-1 ${written}`, '1 x made-2 {"n":1,"text":"1234567890123456"}']);
    expect(turn.response?.aiMessage.toolExecutionRequests[0]?.arguments).toBe(written);
  });

  it('takes a call for one that is told twice, though a long number makes it look another way', () => {
    const call = '{"functionCall":{"id":"p","name":"x","args":{ "n": 1 }}}';
    const chunk = (...parts: readonly string[]) => `{"candidates":[{"content":{"parts":[${parts.join(',')}]}}]}`;
    const turn = turnOfTexts(chunk(call), chunk(call, '{"text":"12345678901234567890"}'), JSON.stringify(finish('STOP')));
    expect(completed(turn)).toEqual(['0 x p {"n":1}']);
  });

  it.each([{}, { args: null }, { args: {} }])('[G55] has a call without arguments: %j', (none) => {
    expect(completed(turnOf(finish('STOP', functionCall({ name: 'now', ...none }))))).toEqual(['0 now made-1 {}']);
  });

  it.each(['MAX_TOKENS', 'SAFETY'])('hands over no call that may have been cut by %s, though it parses', (word) => {
    const turn = turnOf(finish(word, functionCall(x), functionCall({ name: 'y', args: { n: 2 } })));
    expect(completed(turn)).toEqual(['0 x made-1 {"n":1}']);
  });
});

describe('arguments that Vertex AI streams', () => {
  const start = (fields: object = {}) => parts(functionCall({ name: 'x', willContinue: true, ...fields }));
  const more = (jsonPath: string, stringValue: string, fields: object = {}, argument: object = { willContinue: true }) =>
    parts(functionCall({ partialArgs: [{ jsonPath, stringValue, ...argument }], willContinue: true, ...fields }));
  const end = parts(functionCall({}));

  it('are told as they come', () => {
    const turn = turnOf(start(), more('$.a', 'Hel'), more('$.a', 'lo'), more('$.b', 'x'), end, finish('STOP'));
    expect(pieces(turn)).toEqual(['', '{"a":"Hel', 'lo', '","b":"x', '"}']);
    expect(completed(turn)).toEqual(['0 x made-1 {"a":"Hello","b":"x"}']);
  });

  it('are of every kind', () => {
    const partialArgs = [
      { jsonPath: '$.n', numberValue: 4 },
      { jsonPath: '$.no', boolValue: false },
      { jsonPath: '$.none', nullValue: 'NULL_VALUE' },
      { jsonPath: '$.list', listValue: [1, 2] },
      { jsonPath: '$.nothing' },
    ];
    const turn = turnOf(finish('STOP', functionCall({ name: 'x', partialArgs })));
    expect(completed(turn)).toEqual(['0 x made-1 {"n":4,"no":false,"none":null,"list":[1,2]}']);
  });

  it('end with a piece that announces no other', () => {
    const turn = turnOf(
      start(),
      more('$.a', 'x', { willContinue: false }, {}),
      start(),
      more('$.a', 'y', { willContinue: null }),
      finish('STOP'),
    );
    expect(completed(turn)).toEqual(['0 x made-1 {"a":"x"}', '1 x made-2 {"a":"y"}']);
  });

  it('belong to the call that has their id, though calls take turns', () => {
    const turn = turnOf(
      start({ id: 'p1' }),
      start({ id: 'p2' }),
      more('$.a', 'x', { id: 'p1' }),
      more('$.a', 'y', { id: 'p2' }),
      more('$.a', 'x', { id: 'p1', willContinue: false }),
      more('$.a', 'y', { id: 'p2', willContinue: false }),
      finish('STOP'),
    );
    expect(completed(turn)).toEqual(['0 x p1 {"a":"xx"}', '1 x p2 {"a":"yy"}']);
  });

  it('may name their call each time', () => {
    const turn = turnOf(start(), more('$.a', 'x', { name: 'x' }), more('$.a', 'y', { name: 'x' }), end, finish('STOP'));
    expect(completed(turn)).toEqual(['0 x made-1 {"a":"xy"}']);
  });

  it('are whole when another call or the end of the turn comes behind a whole value', () => {
    const whole = more('$.a', 'x', {}, {});
    expect(completed(turnOf(start(), whole, start(), whole, finish('STOP')))).toEqual([
      '0 x made-1 {"a":"x"}',
      '1 x made-2 {"a":"x"}',
    ]);
  });

  it('[G11] are not made whole when a text of them was cut', () => {
    expect(completed(turnOf(start(), more('$.a', 'rm -rf /'), finish('MAX_TOKENS')))).toEqual([]);
    expect(completed(turnOf(start(), more('$.a', 'rm -rf /'), finish('STOP')))).toEqual(['0 x made-1 {"a":"rm -rf /']);
  });

  it('[G11] are not made whole by a word that comes behind a cut', () => {
    const turn = turnOf(start(), more('$.a', 'x', {}, {}), finish('MAX_TOKENS'), finish('STOP', functionCall(x)));
    expect(completed(turn)).toEqual([]);
    expect(turn.response?.finishReason).toBe('length');
  });

  it('may come once more as a whole', () => {
    const turn = turnOf(start(), more('$.a', 'x'), parts(functionCall({ args: { a: 'xyz', b: 1 } })), finish('STOP'));
    expect(JSON.parse(turn.response!.aiMessage.toolExecutionRequests[0]!.arguments)).toEqual({ a: 'xyz', b: 1 });
  });

  it("fail the turn when it can't be known what they belong to", () => {
    const { error } = turnOf(start(), more('$[*]', 'x'));
    expect(error).toMatchObject({ kind: 'malformedResponse', retryable: true });
    expect(error.message).toBe("gemini: the arguments of x have a path that can't be read: $[*]");
  });

  it('are nothing where no call is open', () => {
    expect(turnOf(end, finish('STOP', text('a'))).response?.aiMessage.toolExecutionRequests).toEqual([]);
  });
});

describe('the end of a turn of Gemini', () => {
  it.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'contentFilter'],
    ['RECITATION', 'contentFilter'],
    ['PROHIBITED_CONTENT', 'contentFilter'],
    ['IMAGE_SAFETY', 'contentFilter'],
    ['OTHER', 'other'],
    ['A_NEW_WORD', 'other'],
    ['constructor', 'other'],
  ])('is told as %s', (word, reason) => {
    expect(turnOf(parts(text('a')), finish(word)).response?.finishReason).toBe(reason);
  });

  it('is told by its own word too, where ours says less', () => {
    const last = finish('RECITATION');
    expect(turnOf(parts(text('a')), last).events).toContainEqual({ type: 'raw', event: last });
    expect(turnOf(parts(text('a')), finish('STOP')).events.map(({ type }) => type)).not.toContain('raw');
  });

  it('is a blocked prompt, and says why', () => {
    const blocked = { promptFeedback: { blockReason: 'SAFETY', safetyRatings: [] } };
    const { events, response } = turnOf(blocked);
    expect(response).toEqual({
      aiMessage: { role: 'assistant', text: null, toolExecutionRequests: [] },
      finishReason: 'contentFilter',
    });
    expect(events[0]).toEqual({ type: 'raw', event: blocked });
  });

  it.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS', 'MALFORMED_RESPONSE'])(
    'is a failure that may pass: %s',
    (word) => {
      const { error } = turnOf({ candidates: [{ finishReason: word, finishMessage: 'print(x)' }] });
      expect(error).toMatchObject({ kind: 'malformedResponse', retryable: true, provider: 'gemini' });
      expect(error.message).toBe(`gemini: the turn ended with ${word}: print(x)`);
    },
  );

  it('is a failure that stays: MISSING_THOUGHT_SIGNATURE', () => {
    expect(turnOf(finish('MISSING_THOUGHT_SIGNATURE')).error).toMatchObject({ kind: 'malformedResponse', retryable: false });
  });

  it('is a connection that broke when no word came', () => {
    expect(turnOf(parts(text('a'))).error).toMatchObject({ kind: 'interrupted', retryable: true });
  });

  it('is an error within the stream', () => {
    const error = { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } };
    expect(turnOf(parts(text('a')), error).error).toMatchObject({ kind: 'overloaded', retryable: true });
    expect(turnOf([error]).error).toMatchObject({ kind: 'overloaded', retryable: true });
  });
});

describe('what Gemini sends beside text and calls', () => {
  const code = { executableCode: { language: 'PYTHON', code: '1+1' } };

  it('is told as it came, and kept for the next request', () => {
    const chunk = parts(text('a'), code);
    const { events, response } = turnOf(chunk, finish('STOP', text('b')));
    expect(events).toContainEqual({ type: 'raw', event: chunk });
    expect(response?.aiMessage.attributes).toEqual({
      gemini: [
        { type: 'text', length: 1 },
        { type: 'kept', part: code },
        { type: 'text', length: 1 },
      ],
    });
  });

  it('are the places that the answer has its facts from', () => {
    const grounded = { candidates: [{ content: { parts: [text('a')] }, groundingMetadata: { groundingChunks: [1] } }] };
    const empty = { candidates: [{ content: { parts: [text('b')] }, groundingMetadata: {}, safetyRatings: [{ a: 1 }] }] };
    const raw = turnOf(grounded, empty, finish('STOP')).events.filter(({ type }) => type === 'raw');
    expect(raw).toEqual([{ type: 'raw', event: grounded }]);
  });

  it('are thoughts that are no text, which do not go back', () => {
    const { events, response } = turnOf(parts({ inlineData: { data: 'QUJD' }, thought: true }), finish('STOP', text('a')));
    expect(events[0]?.type).toBe('raw');
    expect(response?.aiMessage).not.toHaveProperty('attributes');
  });

  it('is of the first answer, where there are several', () => {
    const chunk = {
      candidates: [
        { index: 1, content: { parts: [text('Z')] } },
        { index: 0, content: { parts: [text('a')] }, finishReason: 'STOP' },
      ],
    };
    expect(turnOf(chunk).response?.aiMessage.text).toBe('a');
  });

  it('may be of other types than the API has', () => {
    const chunk = {
      candidates: [{ content: { parts: [null, 5, { text: 7 }, {}, { functionCall: 'x' }, text('a')] } }],
      usageMetadata: null,
    };
    expect(
      turnOf(chunk, { candidates: [{ content: { parts: 'no' } }] }, { candidates: [null] }, finish('STOP')).response?.aiMessage
        .text,
    ).toBe('a');
  });
});
