import { retry } from 'rxjs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import { guardrail } from '../../src/chat/guardrail-result.ts';
import type { ChatMessage } from '../../src/chat/message.ts';
import { aiService, type AiService } from '../../src/service/ai-service.ts';
import { StructuredOutputError } from '../../src/service/output/structured-output-error.ts';
import type { Result } from '../../src/service/result.ts';
import { InvocationCancelledError } from '../../src/service/service-errors.ts';
import type { ScriptedRound } from '../../src/testing/scripted-answer.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { tool } from '../../src/tool/tool.ts';
import { watch } from '../chat/watch.ts';
import { answering, type AnsweringOptions } from './answering.ts';
import { kept, outline, play, roomyMemory, type Script } from './support.ts';

const weather = z.object({ city: z.string(), degrees: z.number() });
const oslo = '{"city":"Oslo","degrees":-3}';
const wrong = '{"city":"Oslo","degrees":"cold"}';

interface Asked extends Partial<Omit<Script, 'output'>> {
  readonly texts: readonly string[];
  readonly model?: AnsweringOptions;
  readonly output?: z.ZodType;
}

/** A service with an output, by default that of the weather; in the rounds `0` stands for the first text, and so on. */
function asked({
  texts,
  model: options,
  rounds = texts.map((_, digit) => `-${digit}|`),
  call,
  output = weather,
  ...script
}: Asked) {
  const model = answering(rounds, texts, options);
  // The type of `play` is that of a service of texts.
  const played = play({ rounds: [], ...script, output: output as never, call: { ...call, model } });
  return {
    ...played,
    model,
    requests: model.requests,
    outlines: model.requests.map(({ messages }) => outline(messages)),
    final: played.values.at(-1) as { readonly type: string; readonly content?: unknown } | undefined,
  };
}

const textsOf = (message: ChatMessage | undefined) =>
  message?.role === 'user' ? message.contents.map((content) => (content.type === 'text' ? content.text : '')) : [];

describe('a service with an output', () => {
  it('has the object in the final response, in the result and in the Completed event', () => {
    const played = asked({ texts: [oslo] });
    expect(played.marbles).toBe('-t($|)');
    expect(played.final).toMatchObject({ type: 'finalResponse', content: { city: 'Oslo', degrees: -3 } });
    expect(played.fired.at(-1)).toMatchObject({ type: 'completed', result: { content: { city: 'Oslo', degrees: -3 } } });
    const { values } = watch(aiService({ model: answering(['(0|)'], [oslo]), output: weather }).result('hello'));
    expect(values).toMatchObject([{ content: { city: 'Oslo', degrees: -3 }, finalResponse: { aiMessage: { text: oslo } } }]);
  });

  it('has the text of the answer in memory, in text(), and for a token stream', () => {
    expect(asked({ texts: [oslo] }).history).toEqual(['user: hello', `assistant: ${oslo}`]);
    const service = () => aiService({ model: answering(['(0|)'], [oslo]), output: weather });
    expect(watch(service().text('hello')).values).toEqual([oslo]);
    expect(watch(service().start('hello').result$).values).toMatchObject([{ content: { city: 'Oslo' } }]);
    const told: unknown[] = [];
    service()
      .tokenStream('hello')
      .onCompleteResponse(({ aiMessage }) => told.push(aiMessage.text))
      .onError((error) => told.push(error))
      .start();
    expect(told).toEqual([oslo]);
  });

  it('has what the schema makes of the answer: defaults, conversions, and no keys that it does not know', () => {
    const output = z.object({
      city: z.string().transform((text) => text.toUpperCase()),
      at: z.coerce.date(),
      days: z.number().default(3),
    });
    const played = asked({ texts: ['{"city":"Oslo","at":"2026-01-01T00:00:00Z","more":1}'], output });
    expect(played.final!.content).toEqual({ city: 'OSLO', at: new Date('2026-01-01T00:00:00Z'), days: 3 });
  });

  it.each([
    ['in a code fence', `\`\`\`json\n${oslo}\n\`\`\``],
    ['between words', `Here it is: ${oslo} I hope that helps.`],
    ['with a comma too many', '{"city":"Oslo","degrees":-3,}'],
    ['with a number in a text', '{"city":"Oslo","degrees":"-3"}'],
  ])('takes an object that comes %s', (_, text) => {
    const played = asked({ texts: [text] });
    expect(played.final!.content).toEqual({ city: 'Oslo', degrees: -3 });
    expect(played.requests).toHaveLength(1);
  });

  const image: Script['input'] = [{ type: 'image', url: 'https://example.org/a.png' }];
  it('asks with media as well', () => {
    expect(asked({ texts: [oslo], input: image }).final!.content).toEqual({ city: 'Oslo', degrees: -3 });
  });
});

describe('a model that can be held to a JSON Schema', () => {
  const able: AnsweringOptions = { jsonSchema: true };
  const rounds = ['-A|', '-0|'];
  const tools = () => [scriptedTool('a', '-r|')];

  it('is sent it in every request, those after tools included, and no words about it', () => {
    const { requests, outlines } = asked({ texts: [oslo], model: able, rounds, tools: tools() });
    expect(requests).toHaveLength(2);
    for (const { responseFormat } of requests)
      expect(responseFormat).toMatchObject({
        type: 'json',
        schema: {
          type: 'object',
          properties: { city: { type: 'string' }, degrees: { type: 'number' } },
          required: ['city', 'degrees'],
        },
      });
    expect(outlines[0]).toEqual(['user: hello']);
    expect(requests[1]!.responseFormat).toBe(requests[0]!.responseFormat);
  });

  it('is sent another format where the caller asks for one, and the transformer has the last word', () => {
    const responseFormat = { type: 'json' } as const;
    expect(asked({ texts: [oslo], model: able, call: { chatRequest: { responseFormat } } }).requests[0]!.responseFormat).toBe(
      responseFormat,
    );
    const transformed = asked({
      texts: [oslo],
      model: able,
      chatRequestTransformer: ({ messages }) => ({ messages }),
    });
    expect('responseFormat' in transformed.requests[0]!).toBe(false);
    expect(transformed.final!.content).toEqual({ city: 'Oslo', degrees: -3 });
  });
});

describe('a model that can not be held to a JSON Schema', () => {
  it.each([[undefined], [{ jsonSchema: false }]])(
    'is told it behind the question, in every request; no format is sent: %j',
    (model) => {
      const { requests } = asked({
        texts: [oslo],
        ...(model && { model }),
        rounds: ['-A|', '-0|'],
        tools: [scriptedTool('a', '-r|')],
      });
      expect(requests).toHaveLength(2);
      for (const { messages, responseFormat } of requests) {
        expect(responseFormat).toBeUndefined();
        const [question, instructions, ...more] = textsOf(messages[0]);
        expect([question, more]).toEqual(['hello', []]);
        expect(instructions).toMatch(/JSON.*"degrees":\{"type":"number"\}/s);
      }
    },
  );

  it('is told it anew by the next invocation: memory has the question as it was', () => {
    const chatMemory = roomyMemory();
    const first = asked({ texts: [oslo], chatMemory });
    expect(first.history).toEqual(['user: hello', `assistant: ${oslo}`]);
    const { requests } = asked({ texts: [oslo], chatMemory, input: 'and Rome?' });
    expect(textsOf(requests[0]!.messages[0])).toEqual(['hello']);
    expect(textsOf(requests[0]!.messages[2])).toHaveLength(2);
  });

  it('is told it behind what was retrieved and rewritten; memory keeps these, or the question alone, as the service says', () => {
    const contentRetriever = () => [{ type: 'text', text: 'a fact' } as const];
    const stored = asked({ texts: [oslo], contentRetriever });
    expect(textsOf(stored.requests[0]!.messages[0])).toHaveLength(3);
    expect(textsOf(kept(stored.memory)[0])).toHaveLength(2);
    const plain = asked({ texts: [oslo], contentRetriever, storeRetrievedContentInChatMemory: false });
    expect(textsOf(plain.requests[0]!.messages[0])).toHaveLength(3);
    expect(plain.history[0]).toBe('user: hello');
    const rewritten = asked({ texts: [oslo], inputGuardrails: [() => guardrail.rewrite('mild')] });
    expect(textsOf(rewritten.requests[0]!.messages[0])[0]).toBe('mild');
    expect(rewritten.history[0]).toBe('user: mild');
  });

  it('is still told it when a failed invocation goes on', () => {
    const { requests } = asked({ texts: [oslo], rounds: ['-A|', '#', '-0|'], tools: [scriptedTool('a', '-r|')], pipe: retry(1) });
    expect(requests.map(({ messages }) => textsOf(messages[0]).length)).toEqual([2, 2, 2]);
  });
});

describe('an answer that does not fit', () => {
  it('is asked for once more, with what is wrong with it; memory keeps the one that fits', () => {
    const played = asked({ texts: [wrong, oslo], model: { jsonSchema: true } });
    expect(played.outlines[1]!.slice(0, 2)).toEqual(['user: hello', `assistant: ${wrong}`]);
    expect(played.outlines[1]![2]).toMatch(/^user: .*degrees.*number/s);
    expect(played.final!.content).toEqual({ city: 'Oslo', degrees: -3 });
    expect(played.history).toEqual(['user: hello', `assistant: ${oslo}`]);
    expect(played.requests[1]!.responseFormat).toBe(played.requests[0]!.responseFormat);
  });

  it.each([
    ['is no JSON', 'I do not know.'],
    ['is another kind of JSON', '[1]'],
    ['has two objects', `${oslo} or ${oslo}`],
    ['was left open', '{"city":"Oslo"'],
  ])('because it %s is asked for once more', (_, text) => {
    const played = asked({ texts: [text, oslo] });
    expect(played.requests).toHaveLength(2);
    expect(played.final!.content).toEqual({ city: 'Oslo', degrees: -3 });
  });

  it('because it is empty is asked for once more', () => {
    const played = asked({ texts: [oslo], rounds: ['-|', '-0|'], model: { jsonSchema: true } });
    expect(played.outlines[1]).toEqual(['user: hello', expect.stringMatching(/^user: The answer is empty/)]);
    expect(played.final!.content).toEqual({ city: 'Oslo', degrees: -3 });
  });

  it('twice fails the invocation: the error has the answer and the cause, the Error event is fired, and memory has nothing of it', () => {
    const played = asked({ texts: [wrong, wrong, oslo] });
    expect(played.requests).toHaveLength(2);
    expect(played.marbles.endsWith('#')).toBe(true);
    expect(played.error).toBeInstanceOf(StructuredOutputError);
    const { text, message, cause } = played.error as StructuredOutputError;
    expect(text).toBe(wrong);
    expect(message).toMatch(/degrees.*number/s);
    expect((cause as z.ZodError).issues[0]!.path).toEqual(['degrees']);
    expect(played.firedTypes.slice(-2)).toEqual(['responseReceived', 'error']);
    expect(played.history).toEqual([]);
  });

  it('twice behind tools: memory has the round of tools', () => {
    const played = asked({ texts: ['?', '?'], rounds: ['A|', '-0|', '-1|'], tools: [scriptedTool('a', '-r|')] });
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: r']);
  });

  it('may be mended by way of a tool, which runs before the next answer is read', () => {
    const played = asked({
      texts: [wrong, oslo],
      model: { jsonSchema: true },
      rounds: ['-0|', '-A|', '-1|'],
      tools: [scriptedTool('a', '-r|')],
    });
    expect(played.outlines[2]).toHaveLength(5);
    expect(played.outlines[2]!.slice(3)).toEqual(['assistant: [A]', 'A: r']);
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: r', `assistant: ${oslo}`]);
    expect(played.final!.content).toEqual({ city: 'Oslo', degrees: -3 });
  });

  it('costs tokens, which are in the sum', () => {
    const round = (marbles: string): ScriptedRound => ({ marbles, response: { tokenUsage: { inputTokens: 10 } } });
    const played = asked({ texts: [wrong, oslo], rounds: [round('-0|'), round('-1|')] });
    expect(played.final).toMatchObject({ response: { tokenUsage: { inputTokens: 20 } } });
  });

  it('is not given to a retry of the stream: the model is asked again, and its new answer is read', () => {
    expect(asked({ texts: [wrong, wrong, oslo], pipe: retry(1) }).final!.content).toEqual({ city: 'Oslo', degrees: -3 });
    expect(asked({ texts: [wrong, wrong, wrong], pipe: retry(1) }).error).toBeInstanceOf(StructuredOutputError);
  });

  it('because it was cut is an error at once: the same request would be cut again', () => {
    for (const finishReason of ['length', 'contentFilter'] as const) {
      const rounds = [{ marbles: '-0|', response: { finishReason } }, '-1|'];
      const played = asked({ texts: ['{"city":"Os', oslo], rounds });
      expect(played.requests).toHaveLength(1);
      expect(played.error).toBeInstanceOf(StructuredOutputError);
      expect((played.error as Error).message).toContain(`Its finish reason is ${finishReason}.`);
    }
  });

  it('is not one that was cut behind its end', () => {
    const played = asked({ texts: [oslo], rounds: [{ marbles: '-0|', response: { finishReason: 'length' } }] });
    expect(played.final!.content).toEqual({ city: 'Oslo', degrees: -3 });
  });
});

describe('an output that is no object', () => {
  const shape = z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('circle'), radius: z.number() }),
    z.object({ kind: z.literal('square'), side: z.number() }),
  ]);
  const outputs: readonly (readonly [string, z.ZodType, string, unknown])[] = [
    ['an array', z.array(z.number()), '{"value":[1,2]}', [1, 2]],
    ['an enum', z.enum(['sunny', 'wet']), '{"value":"wet"}', 'wet'],
    ['a number', z.number(), '{"value":7}', 7],
    ['a text', z.string(), '{"value":"yes"}', 'yes'],
    ['a boolean', z.boolean(), '{"value":false}', false],
    ['null, where that is allowed', z.number().nullable(), '{"value":null}', null],
    ['one of several objects', shape, '{"value":{"kind":"square","side":2}}', { kind: 'square', side: 2 }],
  ];

  it.each(outputs)('[S57] is asked for in one, and comes out of it: %s', (_, output, text, content) => {
    for (const jsonSchema of [true, false]) {
      const played = asked({ texts: [text], output, model: { jsonSchema } });
      expect(played.requests).toHaveLength(1);
      expect(played.final).toMatchObject({ type: 'finalResponse' });
      expect(played.final!.content).toEqual(content);
      const { responseFormat } = played.requests[0]!;
      if (jsonSchema) expect(responseFormat).toMatchObject({ schema: { type: 'object', required: ['value'] } });
      expect(played.fired.at(-1)).toMatchObject({ result: { content } });
    }
  });

  it('comes as well where a model leaves the object out', () => {
    expect(asked({ texts: ['[1,2]'], output: z.array(z.number()) }).final!.content).toEqual([1, 2]);
  });
});

describe('a schema with asynchronous code in it', () => {
  const known = z.object({ city: z.string().refine((city) => Promise.resolve(city !== 'Atlantis'), 'There is no such city.') });
  const ask = (...texts: string[]) => {
    const model = answering(
      texts.map((_, digit) => `(${digit}|)`),
      texts,
    );
    return new Promise<unknown>((resolve) =>
      aiService({ model, output: known }).result('hello').subscribe({ next: resolve, error: resolve }),
    );
  };

  it('is waited for', async () => {
    expect(await ask('{"city":"Oslo"}')).toMatchObject({ content: { city: 'Oslo' } });
  });

  it('can refuse an answer, which is then asked for once more', async () => {
    expect(await ask('{"city":"Atlantis"}', '{"city":"Oslo"}')).toMatchObject({ content: { city: 'Oslo' } });
    const error = await ask('{"city":"Atlantis"}', '{"city":"Atlantis"}');
    expect(error).toBeInstanceOf(StructuredOutputError);
    expect((error as Error).message).toContain('There is no such city.');
  });

  it('is left with the invocation, whose partial result has then no answer', async () => {
    const never = z.object({ city: z.string().refine(() => new Promise<boolean>(() => undefined)) });
    const controller = new AbortController();
    const fired: string[] = [];
    const service = aiService({
      model: answering(['(0|)'], ['{"city":"Oslo"}']),
      output: never,
      listeners: [({ type }) => fired.push(type)],
    });
    const error = await new Promise((resolve) => {
      service.result('hello', { signal: controller.signal }).subscribe({ error: resolve });
      controller.abort();
    });
    expect(error).toBeInstanceOf(InvocationCancelledError);
    expect((error as InvocationCancelledError).partial).not.toHaveProperty('finalResponse');
    expect(fired.slice(-2)).toEqual(['cancelled', 'invocationSummary']);
  });
});

describe('an output beside other things', () => {
  it('is read as the guardrails let the answer pass, and a mended answer is judged again', () => {
    const texts: (string | null)[] = [];
    const played = asked({
      texts: ['Oslo: "cold"', 'Oslo: -3'],
      outputGuardrails: [
        ({ text }) => {
          texts.push(text);
          return guardrail.rewrite(`{"city":"Oslo","degrees":${text!.slice(6)}}`);
        },
      ],
    });
    expect(texts).toEqual(['Oslo: "cold"', 'Oslo: -3']);
    expect(played.marbles).toBe('----($|)');
    expect(played.final!.content).toEqual({ city: 'Oslo', degrees: -3 });
    expect(played.history).toEqual(['user: hello', `assistant: ${oslo}`]);
  });

  it('is not looked for where a guardrail has refused the answer', () => {
    const played = asked({ texts: ['?'], outputGuardrails: [() => guardrail.failure('no')] });
    expect(played.error).toMatchObject({ name: 'OutputGuardrailError' });
    expect(played.requests).toHaveLength(1);
  });

  it('is not looked for in the results of tools that are the answer: the content is null', () => {
    const b = tool({ name: 'b', execute: () => 'done', returnBehavior: 'immediate' });
    const played = asked({ texts: [], rounds: ['B|'], tools: [b] });
    expect(played.final).not.toHaveProperty('content');
    expect(played.fired.at(-1)).toMatchObject({ type: 'completed', result: { content: null } });
  });

  it('still has to fit when a limit has made the model answer', () => {
    const played = asked({
      texts: [wrong, oslo],
      rounds: ['A|', '-0|', '-1|'],
      tools: [scriptedTool('a', '-r|')],
      maxToolCallingRoundTrips: 1,
      limits: { then: 'answer' },
    });
    expect(played.requests.map(({ toolChoice }) => toolChoice)).toEqual([undefined, 'none', 'none']);
    expect(played.final!.content).toEqual({ city: 'Oslo', degrees: -3 });
  });
});

describe('aiService()', () => {
  it.each([
    ['no schema', { type: 'object' }, /output is an object with type; it must be a schema of zod 4/],
    [
      'a type that JSON can not hold',
      z.object({ when: z.date() }),
      /output can't be told as JSON Schema.*when.*z\.coerce\.date\(\)/,
    ],
  ])('throws for an output that is %s', (_, output, message) => {
    expect(() => aiService({ model: answering([], []), output: output as never })).toThrow(ConfigurationError);
    expect(() => aiService({ model: answering([], []), output: output as never })).toThrow(message);
  });

  // The type checker is the judge here.
  it('infers the type of its answers from the output', () => {
    const made = aiService({ model: answering(['(0|)'], [oslo]), output: weather.extend({ at: z.coerce.date().optional() }) });
    expectTypeOf(made).toEqualTypeOf<AiService<{ city: string; degrees: number; at?: Date | undefined }>>();
    const [result] = watch(made.result('hello')).values;
    expectTypeOf(result!).toEqualTypeOf<Result<{ city: string; degrees: number; at?: Date | undefined }>>();
    expect(result!.content?.city).toBe('Oslo');
    expectTypeOf(aiService({ model: answering([], []), output: z.array(z.number()) })).toEqualTypeOf<AiService<number[]>>();
    expectTypeOf(aiService({ model: answering([], []) })).toEqualTypeOf<AiService>();
    expectTypeOf<ReturnType<typeof made.start>['result$']>().toEqualTypeOf<ReturnType<typeof made.result>>();
  });
});
