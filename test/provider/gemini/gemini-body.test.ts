import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ChatModelError } from '../../../src/chat/chat-model-error.ts';
import type { ChatRequest } from '../../../src/chat/chat-request.ts';
import type { ToolSpecification } from '../../../src/chat/tool-specification.ts';
import { tool } from '../../../src/tool/tool.ts';
import { bodyOf, early, user } from './bodies.ts';
import type { PublishedBody } from './published.ts';

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const weather: ToolSpecification = { name: 'get_weather', description: 'The weather', parameters, metadata: { internal: true } };
const contents: PublishedBody['contents'] = [{ role: 'user', parts: [{ text: 'Hello' }] }];
const configOf = (request: Partial<ChatRequest>) => bodyOf(request)['generationConfig'];

interface Declaration {
  readonly name: string;
  readonly parameters?: Record<string, unknown>;
  readonly parametersJsonSchema?: Record<string, unknown>;
}

const declarationsOf = (...toolSpecifications: readonly ToolSpecification[]): readonly Declaration[] =>
  (bodyOf({ toolSpecifications })['tools'] as [{ functionDeclarations: Declaration[] }])[0].functionDeclarations;

describe('the body of a request to Gemini', () => {
  it('says no more than what the request sets', () => {
    expect(bodyOf({})).toEqual({ contents } satisfies PublishedBody);
  });

  it('has what the system says apart from what was said', () => {
    const messages = [
      { role: 'system', text: 'Be kind.' } as const,
      user('Hello'),
      { role: 'system', text: 'Be brief.' } as const,
    ];
    expect(bodyOf({ messages })).toEqual({
      systemInstruction: { parts: [{ text: 'Be kind.' }, { text: 'Be brief.' }] },
      contents,
    } satisfies PublishedBody);
  });

  it('has every setting under its name on the wire', () => {
    expect(
      bodyOf({
        temperature: 0,
        topP: 0.5,
        topK: 40,
        maxOutputTokens: 100,
        stopSequences: ['END'],
        frequencyPenalty: 0.1,
        presencePenalty: 0.2,
        seed: 7,
      }),
    ).toEqual({
      contents,
      generationConfig: {
        temperature: 0,
        topP: 0.5,
        topK: 40,
        maxOutputTokens: 100,
        stopSequences: ['END'],
        frequencyPenalty: 0.1,
        presencePenalty: 0.2,
        seed: 7,
      },
    } satisfies PublishedBody);
  });

  it('tells of each tool its name, description and parameters', () => {
    const bare = { name: 'find', parameters };
    expect(bodyOf({ toolSpecifications: [weather, bare] })).toEqual({
      contents,
      tools: [
        {
          functionDeclarations: [
            { name: 'get_weather', description: 'The weather', parameters: parameters as object },
            { name: 'find', parameters: parameters as object },
          ],
        },
      ],
    } satisfies PublishedBody);
  });

  it.each<[ChatRequest['toolChoice'], PublishedBody['toolConfig']]>([
    ['auto', { functionCallingConfig: { mode: 'AUTO' } }],
    ['required', { functionCallingConfig: { mode: 'ANY' } }],
    ['none', { functionCallingConfig: { mode: 'NONE' } }],
    [{ name: 'get_weather' }, { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['get_weather'] } }],
  ])('says the tool choice %j', (toolChoice, toolConfig) => {
    expect(bodyOf({ toolSpecifications: [weather], toolChoice })['toolConfig']).toEqual(toolConfig);
  });

  it.each([[undefined], [[]]])('[G51] says nothing about tools in a request without them (%j)', (toolSpecifications) => {
    expect(bodyOf({ toolSpecifications, toolChoice: 'required', parallelToolCalls: false })).toEqual({ contents });
  });

  it('asks for JSON, with a schema or without', () => {
    expect(configOf({ responseFormat: { type: 'text' } })).toEqual({ responseMimeType: 'text/plain' });
    expect(configOf({ responseFormat: { type: 'json' } })).toEqual({ responseMimeType: 'application/json' });
    expect(bodyOf({ responseFormat: { type: 'json', name: 'sum', schema: parameters } })).toEqual({
      contents,
      generationConfig: { responseMimeType: 'application/json', responseSchema: parameters as object },
    } satisfies PublishedBody);
  });

  it('has a schema that holds itself as JSON Schema, in tools and answers', () => {
    const tree = { type: 'object', properties: { inner: { $ref: '#' } } };
    expect(declarationsOf({ name: 'plant', parameters: tree })[0]).not.toHaveProperty('parameters');
    expect(declarationsOf({ name: 'plant', parameters: tree })[0]!.parametersJsonSchema).toMatchObject({ type: 'object' });
    const config = configOf({ responseFormat: { type: 'json', schema: tree } });
    expect(config).toMatchObject({ responseMimeType: 'application/json', responseJsonSchema: { type: 'object' } });
    expect(config).not.toHaveProperty('responseSchema');
  });

  it('merges the options of the provider over everything else, deeply', () => {
    const providerOptions = {
      generationConfig: { topK: 3, thinkingConfig: { includeThoughts: false } },
      toolConfig: { functionCallingConfig: { streamFunctionCallArguments: true } },
      safetySettings: [],
    };
    expect(
      bodyOf({
        toolSpecifications: [weather],
        toolChoice: 'auto',
        temperature: 0,
        topK: 1,
        reasoning: { budget: 100 },
        providerOptions,
      }),
    ).toMatchObject({
      generationConfig: { temperature: 0, topK: 3, thinkingConfig: { includeThoughts: false, thinkingBudget: 100 } },
      toolConfig: { functionCallingConfig: { mode: 'AUTO', streamFunctionCallArguments: true } },
      safetySettings: [],
    });
  });

  it('takes contents of the caller as they are', () => {
    const mine = [{ role: 'user', parts: [{ text: 'mine' }] }];
    expect(bodyOf({ messages: [], providerOptions: { contents: mine } })).toEqual({ contents: mine });
  });
});

describe('how much Gemini may think', () => {
  it.each([
    ['minimal', 'MINIMAL', 1024],
    ['low', 'LOW', 1024],
    ['medium', 'MEDIUM', 8192],
    ['high', 'HIGH', 24_576],
  ] as const)('is said as a level, or as tokens where the model knows no level: %s', (effort, thinkingLevel, thinkingBudget) => {
    expect(configOf({ reasoning: { effort } })).toEqual({
      thinkingConfig: { includeThoughts: true, thinkingLevel },
    } satisfies PublishedBody['generationConfig']);
    expect(configOf({ reasoning: { effort }, modelName: early })).toEqual({
      thinkingConfig: { includeThoughts: true, thinkingBudget },
    } satisfies PublishedBody['generationConfig']);
  });

  it('is said as a budget, for every model', () => {
    expect(configOf({ reasoning: { budget: 2000 } })).toEqual({
      thinkingConfig: { includeThoughts: true, thinkingBudget: 2000 },
    });
  });

  it('may be nothing, and then no thoughts are asked for', () => {
    expect(configOf({ reasoning: { budget: 0 }, modelName: early })).toEqual({ thinkingConfig: { thinkingBudget: 0 } });
  });

  it('may be left to the model', () => {
    expect(configOf({ reasoning: {} })).toEqual({ thinkingConfig: { includeThoughts: true } });
  });
});

describe('what Gemini does not take', () => {
  it.each<[string, Partial<ChatRequest>]>([
    ['parallelToolCalls: false: leave it out', { toolSpecifications: [weather], parallelToolCalls: false }],
    ['reasoning.effort beside reasoning.budget: set one of them', { reasoning: { effort: 'low', budget: 100 } }],
    ['a request without contents: say something in a user message', { messages: [{ role: 'system', text: 'Be kind.' }] }],
  ])('is refused before the request goes out: %s', (words, request) => {
    expect(() => bodyOf(request)).toThrow(ChatModelError);
    expect(() => bodyOf(request)).toThrow(`gemini: the Gemini API does not take ${words}`);
  });

  it('is a schema for the answer beside tools, before Gemini 3: it is asked for in words', () => {
    const request = { toolSpecifications: [weather], responseFormat: { type: 'json', schema: parameters } } as const;
    expect(bodyOf({ ...request })).toMatchObject({ generationConfig: { responseMimeType: 'application/json' } });
    const { systemInstruction, generationConfig } = bodyOf({ ...request, modelName: early }) as unknown as PublishedBody;
    expect(generationConfig).toBeUndefined();
    expect(systemInstruction?.parts?.[0]?.text).toContain(JSON.stringify(parameters));
  });
});

describe('the tools that Gemini is told of', () => {
  it('[G53] have no keyword that its parser refuses', () => {
    const odd = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      additionalProperties: false,
      properties: {
        count: { type: 'integer', exclusiveMinimum: 0, default: 1 },
        kind: { const: 'a' },
        note: { type: ['string', 'null'] },
        size: { anyOf: [{ type: 'number' }, { type: 'null' }] },
      },
      required: ['count'],
    };
    const [declaration] = declarationsOf({ name: 'odd', parameters: odd });
    const told = JSON.stringify(declaration!.parameters);
    for (const refused of ['$schema', 'additionalProperties', 'exclusiveMinimum', 'const', 'default', '"null"']) {
      expect(told).not.toContain(`${refused.startsWith('"') ? refused : `"${refused}"`}`);
    }
    expect(declaration!.parameters).toMatchObject({
      type: 'object',
      properties: { kind: { enum: ['a'] }, note: { type: 'string', nullable: true }, size: { type: 'number', nullable: true } },
      required: ['count'],
    });
  });

  it.each<[string, ToolSpecification['parameters']]>([
    ['no parameters', tool({ name: 'now', execute: () => 1 }).specification.parameters],
    ['an empty zod object', tool({ name: 'now', parameters: z.object({}), execute: () => 1 }).specification.parameters],
    ['only the type', { type: 'object' }],
    ['nothing', {}],
  ])('[G55] may have %s', (_, none) => {
    const [{ parameters: told, parametersJsonSchema }] = declarationsOf({ name: 'now', parameters: none }) as [Declaration];
    // An object without properties has no form in the API's own words.
    expect(told).toBeUndefined();
    expect(parametersJsonSchema).toMatchObject({ type: 'object', properties: {} });
  });

  it('[G57] have names that it takes, each its own, and those that fit are not changed', () => {
    const names = ['immich.search.metadata', 'a:b', 'a/b', 'ünï', '9lives', 'x'.repeat(90)];
    const told = declarationsOf(...names.map((name) => ({ name, parameters }))).map(({ name }) => name);
    for (const name of told) expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/);
    expect(new Set(told).size).toBe(names.length);
    expect(told.slice(0, 2)).toEqual(['immich.search.metadata', 'a:b']);
    expect(bodyOf({ toolSpecifications: [{ name: 'ünï', parameters }], toolChoice: { name: 'ünï' } })['toolConfig']).toEqual({
      functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [told[3]] },
    });
  });
});
