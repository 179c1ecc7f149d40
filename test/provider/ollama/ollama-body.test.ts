import { describe, expect, it } from 'vitest';
import { ChatModelError } from '../../../src/chat/chat-model-error.ts';
import type { ChatRequest } from '../../../src/chat/chat-request.ts';
import type { ToolSpecification } from '../../../src/chat/tool-specification.ts';
import { assistant, result, user } from '../openai/bodies.ts';
import { asTheSdkTakesIt, bodyOf, type SentRequest } from './bodies.ts';

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const weather: ToolSpecification = { name: 'get_weather', description: 'The weather', parameters, metadata: { internal: true } };
const schema = { type: 'object', properties: { a: { type: 'number' } } };

/** Checks a body by its value and by the type of the SDK. */
function expectBody(request: Partial<ChatRequest>, expected: SentRequest): void {
  expect(bodyOf(request)).toEqual(asTheSdkTakesIt(expected));
}

describe('ollamaBody', () => {
  it('says no more than what the request sets', () => {
    expectBody(
      { messages: [{ role: 'system', text: 'Be kind.' }, user('hello')] },
      {
        model: 'm',
        stream: true,
        messages: [
          { role: 'system', content: 'Be kind.' },
          { role: 'user', content: 'hello' },
        ],
      },
    );
  });

  it('has every setting under its name on the wire', () => {
    const request: Partial<ChatRequest> = {
      temperature: 0,
      topP: 0.5,
      topK: 40,
      maxOutputTokens: 100,
      stopSequences: ['END'],
      frequencyPenalty: 0.1,
      presencePenalty: 0.2,
      seed: 7,
      reasoning: { effort: 'medium' },
    };
    expectBody(request, {
      model: 'm',
      stream: true,
      think: true,
      options: {
        temperature: 0,
        top_p: 0.5,
        top_k: 40,
        num_predict: 100,
        stop: ['END'],
        frequency_penalty: 0.1,
        presence_penalty: 0.2,
        seed: 7,
      },
      messages: [],
    });
  });

  it.each([
    ['none', false],
    ['minimal', 'low'],
    ['low', 'low'],
    ['medium', 'medium'],
    ['high', 'high'],
    ['xhigh', 'high'],
  ] as const)('takes effort %s as think %s for models that know levels', (effort, think) => {
    const modelName = 'gpt-oss:20b';
    expectBody({ modelName, reasoning: { effort } }, { model: modelName, stream: true, think, messages: [] });
  });

  it('only switches the thinking of other models on and off', () => {
    expect(bodyOf({ reasoning: { effort: 'low' } })['think']).toBe(true);
    expect(bodyOf({ reasoning: { effort: 'none' } })['think']).toBe(false);
    expect(bodyOf({ reasoning: { budget: 0 } })['think']).toBe(false);
  });

  it('asks for JSON in words beside tools, which the model could not call within a format', () => {
    const responseFormat = { type: 'json', schema: { type: 'object', properties: {} } } as const;
    const system = { role: 'system', text: 'Be brief.' } as const;
    const body = bodyOf({ toolSpecifications: [weather], responseFormat, messages: [system, user('hello')] });
    expect(body).not.toHaveProperty('format');
    expect(body['messages']).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'system', content: expect.stringContaining('that fits this JSON Schema: {"type":"object"') as string },
      { role: 'user', content: 'hello' },
    ]);
    expect(bodyOf({ responseFormat, messages: [user('hello')] })['format']).toEqual(responseFormat.schema);
  });

  it('says nothing of reasoning that sets nothing', () => {
    expect(bodyOf({ reasoning: {} })).not.toHaveProperty('think');
  });

  it('tells of each tool its name, description and parameters', () => {
    const bare: ToolSpecification = { name: 'now', parameters: { type: 'object', properties: {} } };
    expectBody(
      { toolSpecifications: [weather, bare] },
      {
        model: 'm',
        stream: true,
        messages: [],
        tools: [
          {
            type: 'function',
            function: {
              name: 'get_weather',
              description: 'The weather',
              parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
            },
          },
          { type: 'function', function: { name: 'now', parameters: { type: 'object', properties: {} } } },
        ],
      },
    );
  });

  it('sends a tool turn back, with its thinking, its calls and their results in order', () => {
    const calls = [
      { id: 'a', name: 'get_weather', arguments: '{"city":"Paris"}' },
      { id: 'b', name: 'get_weather', arguments: '{"city":"Rome"}' },
    ];
    const turn = assistant('Let me see.', calls, { thinking: 'Two cities.' });
    expectBody(
      { messages: [user('hello'), turn, result('a', 'get_weather', 'sun'), result('b', 'get_weather', 'it failed', true)] },
      {
        model: 'm',
        stream: true,
        messages: [
          { role: 'user', content: 'hello' },
          {
            role: 'assistant',
            content: 'Let me see.',
            thinking: 'Two cities.',
            tool_calls: [
              { id: 'a', function: { index: 0, name: 'get_weather', arguments: { city: 'Paris' } } },
              { id: 'b', function: { index: 1, name: 'get_weather', arguments: { city: 'Rome' } } },
            ],
          },
          { role: 'tool', content: 'sun', tool_name: 'get_weather', tool_call_id: 'a' },
          { role: 'tool', content: 'it failed', tool_name: 'get_weather', tool_call_id: 'b' },
        ],
      },
    );
  });

  it('sends images beside the text', () => {
    const contents = [
      { type: 'text', text: 'What is' },
      { type: 'image', data: 'QUJD', mediaType: 'image/png' },
      { type: 'text', text: 'on these?' },
      { type: 'image', data: 'REVG' },
    ] as const;
    expectBody(
      { messages: [{ role: 'user', contents }] },
      { model: 'm', stream: true, messages: [{ role: 'user', content: 'What is\non these?', images: ['QUJD', 'REVG'] }] },
    );
  });

  it('asks for JSON, with a schema or without', () => {
    expectBody({ responseFormat: { type: 'json' } }, { model: 'm', stream: true, messages: [], format: 'json' });
    expectBody(
      { responseFormat: { type: 'json', name: 'sum', schema } },
      { model: 'm', stream: true, messages: [], format: schema },
    );
    expectBody({ responseFormat: { type: 'text' } }, { model: 'm', stream: true, messages: [] });
  });

  it('merges the options of the provider deeply over everything else', () => {
    const providerOptions = { keep_alive: '1h', think: false, options: { num_ctx: 32_768, seed: 2 } };
    expectBody(
      { seed: 1, temperature: 0, reasoning: { effort: 'low' }, providerOptions },
      {
        model: 'm',
        stream: true,
        messages: [],
        keep_alive: '1h',
        think: false,
        options: { temperature: 0, num_ctx: 32_768, seed: 2 },
      },
    );
  });

  it('offers no tools to a model that must not call any, and keeps the history with its calls', () => {
    const turn = assistant(null, [{ id: 'a', name: 'now', arguments: '' }]);
    const body = bodyOf({ toolSpecifications: [weather], toolChoice: 'none', messages: [turn, result('a', 'now', 'noon')] });
    expect(body).not.toHaveProperty('tools');
    expect(body['messages']).toHaveLength(2);
  });

  it.each([[undefined], [[]]])('[G51] says nothing about tools in a request without them (%j)', (toolSpecifications) => {
    expectBody(
      { toolSpecifications, toolChoice: 'required', parallelToolCalls: false },
      { model: 'm', stream: true, messages: [] },
    );
  });

  it('takes what is the default anyway', () => {
    expect(bodyOf({ toolSpecifications: [weather], toolChoice: 'auto', parallelToolCalls: true })['tools']).toHaveLength(1);
  });

  it.each<[string, Partial<ChatRequest>]>([
    ['reasoning.budget: set reasoning.effort, or think in providerOptions', { reasoning: { effort: 'low', budget: 100 } }],
    ['toolChoice required: leave it at auto', { toolSpecifications: [weather], toolChoice: 'required' }],
    [
      'toolChoice of one tool (get_weather): leave it at auto',
      { toolSpecifications: [weather], toolChoice: { name: 'get_weather' } },
    ],
    [
      'parallelToolCalls false: leave it out, and set toolConcurrency',
      { toolSpecifications: [weather], parallelToolCalls: false },
    ],
  ])('refuses, before the request goes out, %s', (words, request) => {
    expect(() => bodyOf(request)).toThrow(ChatModelError);
    expect(() => bodyOf(request)).toThrow(`ollama: the Ollama API does not take ${words}`);
  });

  it('[G57] declares any tool by a name that fits, the same in its calls and results', () => {
    const odd: ToolSpecification = { ...weather, name: 'immich.search/ünï' };
    const turn = assistant(null, [{ id: 'a', name: odd.name, arguments: '{}' }]);
    const messages = [turn, result('a', odd.name, 'x')];
    const body = bodyOf({ toolSpecifications: [odd, weather], messages }) as unknown as Required<SentRequest>;
    const { name } = body.tools[0]!.function;
    expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(body.tools[1]!.function.name).toBe('get_weather');
    expect(body.messages[0]!.tool_calls![0]!.function.name).toBe(name);
    expect(body.messages[1]!.tool_name).toBe(name);
  });
});
