import fc from 'fast-check';
import { EMPTY } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ChatModelEvent } from '../../../src/chat/chat-model.ts';
import { ChatModelError } from '../../../src/chat/chat-model-error.ts';
import type { ChatRequest } from '../../../src/chat/chat-request.ts';
import type { ChatResponse } from '../../../src/chat/chat-response.ts';
import { ConfigurationError } from '../../../src/chat/configuration-error.ts';
import { fromValue } from '../../../src/chat/value.ts';
import { runMarbles } from '../../../src/testing/run-marbles.ts';
import type { ScriptedRound } from '../../../src/testing/scripted-answer.ts';
import { scriptedModel, type ScriptedModel } from '../../../src/testing/scripted-model.ts';
import { chatDecisionModel, type ChatDecisionModelOptions } from '../../../src/tool/decision/chat-decision-model.ts';
import { DecisionModelError } from '../../../src/tool/decision/decision-model-error.ts';
import type { DecisionAnswer, DecisionQuestion } from '../../../src/tool/decision/decision-model.ts';
import { watch } from '../../chat/watch.ts';

const questions: readonly DecisionQuestion[] = [
  { id: 'get_weather', text: 'Is get_weather useful?' },
  { id: 'send_mail', text: 'Is send_mail useful?' },
];

const answered = (text: string | null, response: Partial<ChatResponse> = {}): ScriptedRound => ({
  marbles: '|',
  response: { aiMessage: { role: 'assistant', text, toolExecutionRequests: [] }, ...response },
});

/** Puts the questions to a chat model that gives this answer. */
function decided(
  round: string | ScriptedRound,
  {
    input = 'Will it rain?',
    asked = questions,
    ...options
  }: { input?: string; asked?: readonly DecisionQuestion[] } & Partial<ChatDecisionModelOptions> = {},
) {
  const model: ScriptedModel = scriptedModel([round]);
  const decisionModel = chatDecisionModel({ model, ...options });
  return { ...watch(fromValue(() => decisionModel.decide({ input, questions: asked }))), model };
}

function failure(round: string | ScriptedRound): Error {
  const { values, error } = decided(round);
  expect(values).toEqual([]);
  return error as Error;
}

/** The texts of a request: of the system, and of the user. */
function textsIn({ messages }: ChatRequest): { readonly system: string; readonly user: string } {
  const [system, user, ...more] = messages;
  if (system?.role !== 'system' || user?.role !== 'user' || user.contents[0]?.type !== 'text' || more.length > 0)
    throw new Error(`Not a system and a user message: ${JSON.stringify(messages)}`);
  return { system: system.text, user: user.contents[0].text };
}

describe('a decision by a chat model', () => {
  it('is a probability for each question, in one request', () => {
    const { values, end, model } = decided(answered('{"q1":0.9,"q2":0}'));
    expect(values).toEqual([
      [
        { id: 'get_weather', probability: 0.9 },
        { id: 'send_mail', probability: 0 },
      ],
    ]);
    expect(end).toBe('complete');
    expect(model.requests).toHaveLength(1);
  });

  it('holds a model that knows JSON Schemas to one', () => {
    const model = { ...scriptedModel([answered('{"q1":1,"q2":1}')]), supports: { jsonSchema: true } };
    const { values } = decided('', { model });
    expect(values).toHaveLength(1);
    expect(model.requests[0]!.responseFormat).toEqual({
      type: 'json',
      name: 'probabilities',
      schema: {
        type: 'object',
        properties: { q1: { type: 'number' }, q2: { type: 'number' } },
        required: ['q1', 'q2'],
        additionalProperties: false,
      },
    });
    expect(textsIn(model.requests[0]!).system).not.toMatch(/JSON Schema/);
  });

  it('tells the schema to a model that does not', () => {
    const { model } = decided(answered('{"q1":1,"q2":1}'));
    expect(model.requests[0]!.responseFormat).toBeUndefined();
    expect(textsIn(model.requests[0]!).system).toMatch(/JSON Schema: \{"type":"object","properties":\{"q1"/);
  });

  it('can have settings for its requests', () => {
    const { model } = decided(answered('{"q1":1,"q2":1}'), {
      chatRequest: { temperature: 0, modelName: 'small', responseFormat: { type: 'json' } },
    });
    expect(model.requests[0]).toMatchObject({ temperature: 0, modelName: 'small', responseFormat: { type: 'json' } });
  });

  it('needs no request without questions', () => {
    const { values, model } = decided('', { asked: [] });
    expect(values).toEqual([[]]);
    expect(model.requests).toEqual([]);
  });

  it('gives the model the text as a JSON string, which no text can break out of, and ids of our own', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 4 }),
        (input, ids) => {
          const asked = ids.map((id) => ({ id, text: `Is ${id} useful?` }));
          const answer = Object.fromEntries(ids.map((_, place) => [`q${place + 1}`, place / 10]));
          const { values, model } = decided(answered(JSON.stringify(answer)), { input, asked });
          expect(values).toEqual([ids.map((id, place) => ({ id, probability: place / 10 }))]);
          expect(JSON.parse(textsIn(model.requests[0]!).user)).toEqual({
            input,
            questions: asked.map(({ text }, place) => ({ id: `q${place + 1}`, text })),
          });
        },
      ),
    );
  });

  it.each([
    ['a code fence', '```json\n{"q1":0.5,"q2":1}\n```'],
    ['words around it', 'Here you are: {"q1":0.5,"q2":1}. Good luck!'],
    ['a trailing comma', '{"q1":0.5,"q2":1,}'],
    ['other order and whitespace', ' \n{ "q2": 1, "q1": 5e-1 }\n'],
  ])('is read through %s', (_, text) => {
    expect(decided(answered(text)).values[0]).toEqual([
      { id: 'get_weather', probability: 0.5 },
      { id: 'send_mail', probability: 1 },
    ]);
  });

  it('comes with the end of the answer, and is given up with it', () => {
    const round: ScriptedRound = { ...answered('{"q1":1,"q2":0}'), marbles: '--{---|' };
    const decide = (model: ScriptedModel) => fromValue(() => chatDecisionModel({ model }).decide({ input: '', questions }));
    const symbol = (answers: readonly DecisionAnswer[]) => answers.map(({ probability }) => probability).join('');
    const models = [scriptedModel([round]), scriptedModel([round])] as const;
    runMarbles(({ record }) => {
      record(decide(models[0]), symbol).toBe('------(10|)');
      record(decide(models[1]), symbol, '^--!').toBe('');
    });
    expect(models.map((model) => model.subscriptions())).toEqual([['^-----!'], ['^--!']]);
  });

  it('begins when it is subscribed to', () => {
    const model = scriptedModel([answered('{}')]);
    void chatDecisionModel({ model }).decide({ input: '', questions });
    expect(model.requests).toEqual([]);
  });
});

describe('an answer that is none', () => {
  it.each<[what: string, round: ScriptedRound, message: RegExp]>([
    ['no JSON', answered('Yes, and no.'), /answered no JSON object; it wrote: Yes, and no\./],
    ['no text', answered(null), /answered no JSON object; it wrote nothing/],
    ['a list', answered('[0.5, 0.5]'), /answered no JSON object; it wrote: \[0.5, 0.5\]/],
    ['a number', answered('0.5'), /answered no JSON object/],
    ['a missing answer', answered('{"q1":0.5}'), /left 1 of 2 questions without an answer, the first of them "q2"/],
    ['an unknown id', answered('{"q1":0.5,"q2":0.5,"q3":0.5}'), /not asked: \{"id":"q3","probability":0.5\}/],
    ['the id __proto__', answered('{"q1":0.5,"q2":0.5,"__proto__":1}'), /not asked: \{"id":"__proto__"/],
    ['percents', answered('{"q1":80,"q2":20}'), /no probability from 0 to 1: \{"id":"q1","probability":80\}/],
    ['words', answered('{"q1":"yes","q2":"no"}'), /no probability from 0 to 1: \{"id":"q1","probability":"yes"\}/],
    ['null', answered('{"q1":null,"q2":0}'), /no probability from 0 to 1: \{"id":"q1","probability":null\}/],
    [
      'a refusal',
      answered('I can not.', { finishReason: 'contentFilter' }),
      /refused to answer the questions; it wrote: I can not\./,
    ],
    ['a refusal with an answer', answered('{"q1":1,"q2":1}', { finishReason: 'contentFilter' }), /refused/],
    ['a cut answer', answered('{"q1":0.5,"q', { finishReason: 'length' }), /cut at its length limit; it wrote: \{"q1":0.5,"q/],
    ['a long text', answered('x'.repeat(999)), /it wrote: x{200}…$/],
  ])('is an error that says what came: %s', (_, round, message) => {
    const error = failure(round);
    expect(error).toBeInstanceOf(DecisionModelError);
    expect(error.message).toMatch(message);
  });

  it('is an error of the model where the model has one', () => {
    const error = failure('#');
    expect(error).toBeInstanceOf(ChatModelError);
  });

  it('is an error where the stream ends without one, or chat throws', () => {
    const decide = (chat: () => typeof EMPTY) =>
      watch(fromValue(() => chatDecisionModel({ model: { provider: 'x', chat } }).decide({ input: '', questions }))).error;
    expect(decide(() => EMPTY)).toBeInstanceOf(DecisionModelError);
    const cause = new Error('no');
    expect(
      decide(() => {
        throw cause;
      }),
    ).toBe(cause);
  });

  it('does not matter how much else the model says before', () => {
    const events: Record<string, ChatModelEvent> = { r: { type: 'raw', event: 1 } };
    const model = scriptedModel([{ ...answered('{"q1":1,"q2":0}'), marbles: '(~rt|)' }], { events });
    expect(decided('', { model }).values).toHaveLength(1);
  });
});

describe('chatDecisionModel', () => {
  const model = scriptedModel([]);

  it.each<[options: unknown, message: RegExp]>([
    [{}, /model is undefined; it must be a chat model/],
    [{ model: { apiKey: 'sk-secret' } }, /model is an object with apiKey; it must be a chat model/],
    [{ model, chatRequest: 'fast' }, /chatRequest is "fast"; it must be an object/],
    [{ model, chatRequest: { messages: [] } }, /chatRequest\.messages is what the decision model itself sets/],
    [{ model, chatRequest: { toolChoice: 'auto' } }, /chatRequest\.toolChoice is/],
    [{ model, prompt: 'x' }, /unknown option prompt/],
    [undefined, /object of options/],
  ])('refuses %j', (options, message) => {
    const make = () => chatDecisionModel(options as never);
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(message);
    expect(make).not.toThrow(/sk-secret/);
  });
});
