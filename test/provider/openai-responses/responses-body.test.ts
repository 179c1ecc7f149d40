import { describe, expect, it, vi } from 'vitest';
import { ChatModelError } from '../../../src/chat/chat-model-error.ts';
import type { ChatRequest } from '../../../src/chat/chat-request.ts';
import type { Content } from '../../../src/chat/content.ts';
import type { ToolSpecification } from '../../../src/chat/tool-specification.ts';
import { assistant, result, user } from '../openai/bodies.ts';
import { bodyOf, inputOf, type PublishedBody, type PublishedItem } from './bodies.ts';

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const weather: ToolSpecification = { name: 'get_weather', description: 'The weather', parameters, metadata: { internal: true } };
const common = {
  model: 'm',
  stream: true,
  store: false,
  include: ['reasoning.encrypted_content'],
  input: [],
} satisfies PublishedBody;
const userSays = (...contents: Content[]) => inputOf({ role: 'user', contents })[0]!['content'];

describe('the body of a Responses request', () => {
  it('asks for a stream of which nothing is stored, and for the reasoning that must come back', () => {
    const body = {
      ...common,
      input: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'hello' },
      ],
    } satisfies PublishedBody;
    expect(bodyOf({ messages: [{ role: 'system', text: 'Be kind.' }, user('hello')] })).toEqual(body);
  });

  it.each([
    'gpt-4o',
    'gpt-4.1-mini',
    'openai/gpt-4o-mini',
    'ft:gpt-4o-mini:acme',
    'chatgpt-4o-latest',
    'gpt-5-chat-latest',
    'gpt-3.5-turbo',
  ])('does not ask %s for its reasoning, which refuses that', (modelName) => {
    expect(bodyOf({ modelName })).not.toHaveProperty('include');
  });

  it.each(['gpt-5', 'gpt-5-mini', 'gpt-5.3-codex', 'o4-mini', 'gpt-oss-120b', 'grok-4.3', 'my-gpt-4-like'])(
    'asks %s for its reasoning',
    (modelName) => {
      expect(bodyOf({ modelName })['include']).toEqual(['reasoning.encrypted_content']);
    },
  );

  it('has every setting under its name on the wire', () => {
    const request = { temperature: 0, topP: 0.5, maxOutputTokens: 100, reasoning: { effort: 'low' } } as const;
    const body = {
      ...common,
      temperature: 0,
      top_p: 0.5,
      max_output_tokens: 100,
      reasoning: { effort: 'low' },
    } satisfies PublishedBody;
    expect(bodyOf(request)).toEqual(body);
  });

  it('tells of each tool its name, description and parameters, and that it is not strict: silence would mean strict', () => {
    const bare: ToolSpecification = { name: 'now', parameters: { type: 'object', properties: {} } };
    const tools = [
      { type: 'function', strict: false, name: 'get_weather', description: 'The weather', parameters },
      { type: 'function', strict: false, name: 'now', parameters: { type: 'object', properties: {} } },
    ] satisfies PublishedBody['tools'];
    expect(bodyOf({ toolSpecifications: [weather, bare] })).toEqual({ ...common, tools });
  });

  it('[G52] has every key of a strict tool required, the optional one nullable, and no others allowed', () => {
    const optional = {
      type: 'object',
      properties: { urls: { type: 'array', items: { type: 'string' } }, depth: { type: 'string', enum: ['a', 'b'] } },
      required: ['urls'],
    };
    const { tools } = bodyOf({ toolSpecifications: [{ name: 'crawl', parameters: optional }] }, true) as {
      tools: [{ strict: boolean; parameters: { properties: { depth: unknown } } }];
    };
    expect(tools[0]).toMatchObject({
      type: 'function',
      name: 'crawl',
      strict: true,
      parameters: { required: ['urls', 'depth'], additionalProperties: false },
    });
    expect(JSON.stringify(tools[0].parameters.properties.depth)).toContain('null');
  });

  it('[G52] is not strict for a tool that strict mode has no form for, and says so', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const open = { type: 'object', properties: {}, additionalProperties: { type: 'string' } };
    const { tools } = bodyOf({ toolSpecifications: [{ name: 'headers', parameters: open }] }, true) as { tools: unknown[] };
    expect(tools).toMatchObject([{ name: 'headers', strict: false, parameters: open }]);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('tool headers'));
    warn.mockRestore();
  });

  it.each([
    ['auto', 'auto'],
    ['required', 'required'],
    ['none', 'none'],
    [{ name: 'get_weather' }, { type: 'function', name: 'get_weather' }],
  ] as const)('says the tool choice %j', (toolChoice, wire) => {
    const choice: PublishedBody['tool_choice'] = wire;
    expect(bodyOf({ toolSpecifications: [weather], toolChoice })['tool_choice']).toEqual(choice);
  });

  it('says whether calls may be parallel', () => {
    expect(bodyOf({ toolSpecifications: [weather], parallelToolCalls: false })['parallel_tool_calls']).toBe(false);
    expect(bodyOf({ toolSpecifications: [weather] })).not.toHaveProperty('parallel_tool_calls');
  });

  it.each([[undefined], [[]]])('[G51] says nothing about tools in a request without them (%j)', (toolSpecifications) => {
    expect(bodyOf({ toolSpecifications, toolChoice: 'required', parallelToolCalls: true })).toEqual(common);
  });

  it('asks for JSON, with a schema or without', () => {
    const schema = { type: 'object', properties: { a: { type: 'number' } } };
    const formats = [
      { type: 'text' },
      { type: 'json_object' },
      { type: 'json_schema', name: 'response', schema },
      { type: 'json_schema', name: 'sum', schema },
    ] satisfies NonNullable<PublishedBody['text']>['format'][];
    const asked: NonNullable<ChatRequest['responseFormat']>[] = [
      { type: 'text' },
      { type: 'json' },
      { type: 'json', schema },
      { type: 'json', schema, name: 'sum' },
    ];
    expect(asked.map((responseFormat) => bodyOf({ responseFormat })['text'])).toEqual(formats.map((format) => ({ format })));
  });

  it('asks for JSON of a strict schema where that is wanted', () => {
    const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'], additionalProperties: false };
    const { text } = bodyOf({ responseFormat: { type: 'json', schema } }, true) as { text: { format: unknown } };
    expect(text.format).toMatchObject({ type: 'json_schema', strict: true, schema: { required: ['a'] } });
  });

  it('merges the options of the provider over everything else', () => {
    const providerOptions = { store: true, include: [], reasoning: { summary: 'auto' }, service_tier: 'flex' } as const;
    expect(bodyOf({ reasoning: { effort: 'high' }, providerOptions })).toEqual({
      model: 'm',
      stream: true,
      store: true,
      include: [],
      reasoning: { effort: 'high', summary: 'auto' },
      service_tier: 'flex',
      input: [],
    } satisfies PublishedBody);
  });

  it.each<[string, Partial<ChatRequest>]>([
    ['topK: set topP or temperature', { topK: 4 }],
    ['stopSequences: use openAiChat', { stopSequences: ['END'] }],
    ['frequencyPenalty: use openAiChat', { frequencyPenalty: 0.1 }],
    ['presencePenalty: use openAiChat', { presencePenalty: 0.1 }],
    ['seed: use openAiChat', { seed: 7 }],
    ['reasoning.budget: set reasoning.effort', { reasoning: { budget: 100 } }],
  ])('refuses what the API has no word for, before it goes out: %s', (words, request) => {
    expect(() => bodyOf(request)).toThrow(ChatModelError);
    expect(() => bodyOf(request)).toThrow(`openai: the Responses API does not take ${words}`);
  });

  it('[G57] never has a name that the provider rejects, be it of a tool, a choice or a call', () => {
    const names = ['immich.search.metadata', 'a/b', 'ünï', 'x'.repeat(90)];
    const body = bodyOf({
      toolSpecifications: names.map((name) => ({ ...weather, name })),
      toolChoice: { name: names[0]! },
      messages: [assistant(null, [{ id: 'a', name: names[3]!, arguments: '{}' }])],
    }) as { tools: { name: string }[]; tool_choice: { name: string }; input: { name: string }[] };
    const told = body.tools.map(({ name }) => name);
    for (const name of told) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(new Set(told).size).toBe(4);
    expect([body.tool_choice.name, body.input[0]!.name]).toEqual([told[0], told[3]]);
  });
});

describe('what a message may hold', () => {
  it('is several parts in order, images by url or data, and PDFs', () => {
    const content = [
      { type: 'input_text', text: 'What is this?' },
      { type: 'input_image', image_url: 'https://x/y.png', detail: 'auto' },
      { type: 'input_image', image_url: 'data:image/png;base64,QUJD', detail: 'low' },
      { type: 'input_file', filename: 'bill.pdf', file_data: 'data:application/pdf;base64,QUJD' },
      { type: 'input_file', filename: 'document.pdf', file_data: 'data:application/pdf;base64,QUJD' },
      { type: 'input_file', file_url: 'https://x/y.pdf' },
    ] as const;
    const item: PublishedItem = { role: 'user', content: [...content] };
    const said = userSays(
      { type: 'text', text: 'What is this?' },
      { type: 'image', url: 'https://x/y.png' },
      { type: 'image', data: 'QUJD', mediaType: 'image/png', detail: 'low' },
      { type: 'pdf', data: 'QUJD', name: 'bill.pdf' },
      { type: 'pdf', data: 'QUJD' },
      { type: 'pdf', url: 'https://x/y.pdf' },
    );
    expect({ role: 'user', content: said }).toEqual(item);
  });

  it.each<[string, Content]>([
    ['audio: send what is said in it as text', { type: 'audio', data: 'QUJD', mediaType: 'audio/wav' }],
    ['video: send pictures of it as images', { type: 'video', url: 'https://x/y.mp4' }],
    ['data without a mediaType: set mediaType', { type: 'image', data: 'QUJD' }],
    ['media without data and url: set one of them', { type: 'pdf' }],
  ])('is not %s', (words, content) => {
    expect(() => userSays(content)).toThrow(ChatModelError);
    expect(() => userSays(content)).toThrow(`openai: the Responses API does not take ${words}`);
  });

  it('is text, images and PDFs in the result of a tool', () => {
    const contents: Content[] = [
      { type: 'text', text: 'Here it is' },
      { type: 'image', data: 'QUJD', mediaType: 'image/png' },
    ];
    expect(inputOf({ role: 'tool', id: 'a', toolName: 'draw', contents, isError: false, attributes: { hidden: true } })).toEqual([
      {
        type: 'function_call_output',
        call_id: 'a',
        output: [
          { type: 'input_text', text: 'Here it is' },
          { type: 'input_image', image_url: 'data:image/png;base64,QUJD', detail: 'auto' },
        ],
      },
    ] satisfies PublishedItem[]);
  });

  it('is no sound in the result of a tool', () => {
    const contents: Content[] = [{ type: 'audio', data: 'QUJD', mediaType: 'audio/wav' }];
    expect(() => inputOf({ role: 'tool', id: 'a', toolName: 'sing', contents, isError: false })).toThrow(
      'openai: the Responses API does not take audio in the result of tool sing: send what is said in it as text',
    );
  });
});

describe('a tool turn on its way back', () => {
  it('[G51] is its calls alone where it says nothing, and each result behind it', () => {
    const calls = [
      { id: 'call_a', name: 'add', arguments: '{"id":12345678901234567890, "x" :1}' },
      { id: 'call_b', name: 'now', arguments: '' },
    ];
    expect(inputOf(assistant(null, calls), result('call_a', 'add', '2'), result('call_b', 'now', 'it failed', true))).toEqual([
      { type: 'function_call', call_id: 'call_a', name: 'add', arguments: '{"id":12345678901234567890, "x" :1}' },
      { type: 'function_call', call_id: 'call_b', name: 'now', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_a', output: '2' },
      { type: 'function_call_output', call_id: 'call_b', output: 'it failed' },
    ] satisfies PublishedItem[]);
  });

  it('[G51] has no item for an answer without anything in it', () => {
    expect(inputOf(assistant(null), assistant(''), user('Hello?'))).toEqual([{ role: 'user', content: 'Hello?' }]);
  });

  it('has the text before its calls', () => {
    expect(inputOf(assistant('Let me see.', [{ id: 'a', name: 'add', arguments: '{}' }]))).toEqual([
      { role: 'assistant', content: 'Let me see.' },
      { type: 'function_call', call_id: 'a', name: 'add', arguments: '{}' },
    ] satisfies PublishedItem[]);
  });

  it('[G13] has an output for a result that is empty', () => {
    const empty = { role: 'tool', id: 'a', toolName: 't', isError: false } as const;
    expect(inputOf({ ...empty, contents: [] }, { ...empty, contents: [{ type: 'text', text: '' }] })).toEqual([
      { type: 'function_call_output', call_id: 'a', output: '' },
      { type: 'function_call_output', call_id: 'a', output: '' },
    ] satisfies PublishedItem[]);
  });

  it('joins the texts of a result', () => {
    const contents: Content[] = [
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
    ];
    expect(inputOf({ role: 'tool', id: 'a', toolName: 't', contents, isError: false })[0]!['output']).toBe('one\ntwo');
  });

  it('has ids that are too long for the API shortened, the same in call and result', () => {
    const long = ['codex_mcp__one__'.repeat(6), 'codex_mcp__two__'.repeat(6)] as const;
    const [one, two, oneResult, twoResult] = inputOf(
      assistant(
        null,
        long.map((id) => ({ id, name: 'x', arguments: '{}' })),
      ),
      result(long[0], 'x', '1'),
      result(long[1], 'x', '2'),
    ).map((item) => item['call_id'] as string);
    expect(one!.length).toBeLessThanOrEqual(64);
    expect(one).not.toBe(two);
    expect([oneResult, twoResult]).toEqual([one, two]);
  });
});
