import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';
import { describe, expect, it } from 'vitest';
import type { ToolSpecification } from '../../../src/chat/tool-specification.ts';
import { answered, bodyOf, bodyText, assistant, result, user } from './bodies.ts';
import { call, said, text, thinking } from './turns.ts';

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const weather: ToolSpecification = { name: 'get_weather', description: 'The weather', parameters, metadata: { internal: true } };
const common = { model: 'm', max_tokens: 32_000, stream: true } as const;

/** Checked by its value here, and by its type by the compiler. */
const pinned: readonly (readonly [what: string, body: Record<string, unknown>, published: MessageCreateParamsStreaming])[] = [
  [
    'text',
    bodyOf({ messages: [{ role: 'system', text: 'Be kind.' }, user('Hello')] }),
    {
      ...common,
      system: [{ type: 'text', text: 'Be kind.' }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
    },
  ],
  [
    'tools',
    bodyOf({
      messages: [user('Rain?')],
      toolSpecifications: [weather, { name: 'now', parameters: { type: 'object', properties: {} } }],
      toolChoice: 'required',
    }),
    {
      ...common,
      tool_choice: { type: 'any' },
      tools: [
        { name: 'get_weather', description: 'The weather', input_schema: { ...parameters, type: 'object' } },
        { name: 'now', input_schema: { type: 'object', properties: {} } },
      ],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Rain?' }] }],
    },
  ],
  [
    'a tool turn sent back',
    bodyOf({
      messages: [
        user('Rain?'),
        assistant('Let me see.', [{ id: 'toolu_1', name: 'get_weather', arguments: '{"city":"Oslo"}' }]),
        result('toolu_1', 'get_weather', 'the service is down', true),
      ],
    }),
    {
      ...common,
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Rain?' }] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Let me see.' },
            { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Oslo' } },
          ],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'the service is down', is_error: true }],
        },
      ],
    },
  ],
  [
    'thinking sent back',
    bodyOf({
      messages: [
        user('Rain?'),
        answered(
          ...said(
            'tool_use',
            [...thinking(0, 'Need the weather.', 'SIG')],
            [{ type: 'content_block_start', index: 1, content_block: { type: 'redacted_thinking', data: 'DATA' } }],
            [{ type: 'content_block_stop', index: 1 }],
            text(2, 'Let me see.'),
            call(3, 'toolu_1', 'get_weather', '{"city":', '"Oslo"}'),
          ),
        ),
        result('toolu_1', 'get_weather', 'rain'),
      ],
      reasoning: { budget: 2000 },
    }),
    {
      ...common,
      thinking: { type: 'enabled', budget_tokens: 2000 },
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Rain?' }] },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Need the weather.', signature: 'SIG' },
            { type: 'redacted_thinking', data: 'DATA' },
            { type: 'text', text: 'Let me see.' },
            { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Oslo' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'rain' }] },
      ],
    },
  ],
  [
    'images and documents',
    bodyOf({
      messages: [
        {
          role: 'user',
          contents: [
            { type: 'text', text: 'What is it?' },
            { type: 'image', data: 'QUJD', mediaType: 'image/png', detail: 'low' },
            { type: 'image', url: 'https://x/y.png' },
            { type: 'pdf', data: 'QUJD', name: 'bill.pdf' },
            { type: 'pdf', url: 'https://x/y.pdf' },
          ],
        },
      ],
    }),
    {
      ...common,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is it?' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QUJD' } },
            { type: 'image', source: { type: 'url', url: 'https://x/y.png' } },
            { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'QUJD' }, title: 'bill.pdf' },
            { type: 'document', source: { type: 'url', url: 'https://x/y.pdf' } },
          ],
        },
      ],
    },
  ],
  [
    'structured output',
    bodyOf({
      messages: [user('Who?')],
      responseFormat: {
        type: 'json',
        name: 'person',
        schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'], additionalProperties: false },
      },
      reasoning: { effort: 'low' },
    }),
    {
      ...common,
      thinking: { type: 'adaptive' },
      output_config: {
        effort: 'low',
        format: {
          type: 'json_schema',
          schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'], additionalProperties: false },
        },
      },
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Who?' }] }],
    },
  ],
];

describe('the body of a Messages request', () => {
  it.each(pinned)('is as the API publishes it: %s', (_, body, published) => {
    expect(body).toEqual(published);
  });

  it('merges the options of the provider over everything else', () => {
    const providerOptions = { metadata: { user_id: 'u' }, thinking: { display: 'summarized' }, max_tokens: 5 };
    expect(bodyOf({ reasoning: { effort: 'high' }, providerOptions })).toEqual({
      ...common,
      max_tokens: 5,
      metadata: { user_id: 'u' },
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort: 'high' },
      messages: [],
    });
  });

  it('grows at its end alone from round to round, so that what was sent before is found in the cache', () => {
    const calls = (id: string) => assistant(null, [{ id, name: 'get_weather', arguments: '{"city":"Oslo"}' }]);
    const rounds = [
      [{ role: 'system', text: 'Be kind.' } as const, user('Rain?')],
      [calls('a'), result('a', 'get_weather', 'rain')],
      [calls('b'), result('b', 'get_weather', 'sun')],
      [assistant('It rains.'), user('And tomorrow?')],
    ];
    const bodies = rounds.map((_, index) =>
      bodyText({ messages: rounds.slice(0, index + 1).flat(), toolSpecifications: [weather] }),
    );
    bodies.slice(1).forEach((body, index) => expect(body.startsWith(bodies[index]!.slice(0, -']}'.length))).toBe(true));
  });

  it('[G57] has names that the API takes, the same in tool, choice and call, however odd they are', () => {
    const odd = ['immich.search.metadata', 'a/b', 'ünï', 'x'.repeat(90), 'fits-well_1'];
    const { tools, tool_choice, messages } = bodyOf({
      messages: [user('?'), assistant(null, [{ id: '1', name: 'a/b', arguments: '' }])],
      toolSpecifications: odd.map((name) => ({ name, parameters })),
      toolChoice: { name: 'a/b' },
    }) as {
      tools: { name: string }[];
      tool_choice: { name: string };
      messages: { content: { name: string }[] }[];
    };
    const names = tools.map(({ name }) => name);
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(new Set(names).size).toBe(odd.length);
    expect(names.at(-1)).toBe('fits-well_1');
    expect(tool_choice.name).toBe(names[1]);
    expect(messages[1]!.content[0]!.name).toBe(names[1]);
  });

  it('[G55] declares a tool without parameters as an object with none', () => {
    const { tools } = bodyOf({ toolSpecifications: [{ name: 'now', parameters: { type: 'object', properties: {} } }] });
    expect(tools).toEqual([{ name: 'now', input_schema: { type: 'object', properties: {} } }]);
  });
});
