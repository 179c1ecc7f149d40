import { describe, expect, it } from 'vitest';
import { ChatModelError } from '../../../src/chat/chat-model-error.ts';
import type { ChatRequest } from '../../../src/chat/chat-request.ts';
import type { ToolSpecification } from '../../../src/chat/tool-specification.ts';
import { bodyOf } from './bodies.ts';

const weather: ToolSpecification = { name: 'get_weather', parameters: { type: 'object', properties: {} } };
const toolSpecifications = [weather];

describe('the settings of a Messages request', () => {
  it('stand under their names on the wire', () => {
    const request: Partial<ChatRequest> = { temperature: 0, topP: 0.5, topK: 40, maxOutputTokens: 100, stopSequences: ['END'] };
    expect(bodyOf(request)).toEqual({
      model: 'm',
      max_tokens: 100,
      stream: true,
      temperature: 0,
      top_p: 0.5,
      top_k: 40,
      stop_sequences: ['END'],
      messages: [],
    });
  });

  it.each([
    ['auto', { type: 'auto' }],
    ['required', { type: 'any' }],
    ['none', { type: 'none' }],
    [{ name: 'get_weather' }, { type: 'tool', name: 'get_weather' }],
  ] as const)('say the tool choice %j', (toolChoice, wire) => {
    expect(bodyOf({ toolSpecifications, toolChoice })['tool_choice']).toEqual(wire);
  });

  it.each([
    [undefined, { type: 'auto', disable_parallel_tool_use: true }],
    ['auto', { type: 'auto', disable_parallel_tool_use: true }],
    ['required', { type: 'any', disable_parallel_tool_use: true }],
    [{ name: 'get_weather' }, { type: 'tool', name: 'get_weather', disable_parallel_tool_use: true }],
    ['none', { type: 'none' }],
  ] as const)('say that calls must not be parallel, with the tool choice %j', (toolChoice, wire) => {
    expect(bodyOf({ toolSpecifications, toolChoice, parallelToolCalls: false })['tool_choice']).toEqual(wire);
  });

  it('say nothing where calls may be parallel, as they may without a word', () => {
    expect(bodyOf({ toolSpecifications, parallelToolCalls: true })).not.toHaveProperty('tool_choice');
  });

  it.each([[undefined], [[]]])('[G51] say nothing about tools in a request without them (%j)', (none) => {
    const body = bodyOf({ toolSpecifications: none, toolChoice: 'required', parallelToolCalls: false });
    expect(body).toEqual({ model: 'm', max_tokens: 32_000, stream: true, messages: [] });
  });

  it.each([
    [{ effort: 'minimal' }, { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }],
    [{ effort: 'medium' }, { thinking: { type: 'adaptive' }, output_config: { effort: 'medium' } }],
    [{ effort: 'high' }, { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }],
    [{ budget: 4000 }, { thinking: { type: 'enabled', budget_tokens: 4000 } }],
    [{ budget: 0 }, { thinking: { type: 'disabled' } }],
    [
      { budget: 4000, effort: 'low' },
      { thinking: { type: 'enabled', budget_tokens: 4000 }, output_config: { effort: 'low' } },
    ],
  ] as const)('say how much the model may think: %j', (reasoning, wire) => {
    expect(bodyOf({ reasoning })).toEqual({ model: 'm', max_tokens: 32_000, stream: true, messages: [], ...wire });
  });

  it.each([
    ['claude-3-7-sonnet-latest', { thinking: { type: 'enabled', budget_tokens: 8192 } }],
    ['claude-opus-4-20250514', { thinking: { type: 'enabled', budget_tokens: 8192 } }],
    ['claude-sonnet-4-5', { thinking: { type: 'enabled', budget_tokens: 8192 } }],
    ['claude-opus-4-6', { thinking: { type: 'adaptive' }, output_config: { effort: 'medium' } }],
    ['claude-sonnet-5-5', { thinking: { type: 'adaptive' }, output_config: { effort: 'medium' } }],
  ])('say an effort to %s in the words that it knows', (modelName, wire) => {
    expect(bodyOf({ modelName, reasoning: { effort: 'medium' } })).toMatchObject(wire);
  });

  it.each([{ effort: 'none' }, { budget: 0 }] as const)('switch thinking off by %j', (reasoning) => {
    expect(bodyOf({ reasoning })['thinking']).toEqual({ type: 'disabled' });
  });

  it('ask in words for JSON that the API has no setting for', () => {
    const record = { type: 'object', additionalProperties: { type: 'string' } };
    for (const responseFormat of [{ type: 'json' }, { type: 'json', schema: record }] as const) {
      const body = bodyOf({ responseFormat });
      expect(body).not.toHaveProperty('output_config');
      expect(body['system']).toEqual([
        { type: 'text', text: expect.stringContaining('write one JSON object and nothing else') as string },
      ]);
    }
  });

  it('leave tokens for the answer where the budget for thinking is large', () => {
    expect(bodyOf({ reasoning: { budget: 40_000 } })['max_tokens']).toBe(48_192);
    expect(bodyOf({ reasoning: { budget: 40_000 }, maxOutputTokens: 50_000 })['max_tokens']).toBe(50_000);
  });

  it('say nothing of an answer in text, as it is without a word', () => {
    expect(bodyOf({ responseFormat: { type: 'text' } })).not.toHaveProperty('output_config');
  });

  it.each<[string, Partial<ChatRequest>]>([
    ['seed: leave it out', { seed: 7 }],
    ['frequencyPenalty: leave it out', { frequencyPenalty: 0.1 }],
    ['presencePenalty: leave it out', { presencePenalty: 0.1 }],
    ['temperature together with reasoning: leave one of them out', { temperature: 0, reasoning: { effort: 'low' } }],
    ['topP below 0.95 together with reasoning', { topP: 0.5, reasoning: { budget: 2000 } }],
    ['topK together with reasoning', { topK: 5, reasoning: { budget: 2000 } }],
    [
      "toolChoice 'required' or a tool's name together with reasoning",
      { toolSpecifications, toolChoice: 'required', reasoning: { effort: 'low' } },
    ],
    [
      "toolChoice 'required' or a tool's name together with reasoning",
      { toolSpecifications, toolChoice: { name: 'get_weather' }, reasoning: { budget: 2000 } },
    ],
  ])('refuse, before the request goes out, %s', (words, request) => {
    expect(() => bodyOf(request)).toThrow(ChatModelError);
    expect(() => bodyOf(request)).toThrow(`anthropic: the Messages API does not take ${words}`);
  });

  it.each<Partial<ChatRequest>>([
    { temperature: 1, topP: 0.95, reasoning: { effort: 'low' } },
    { temperature: 0, reasoning: { budget: 0 } },
    { toolSpecifications, toolChoice: 'auto', reasoning: { effort: 'low' } },
    { toolChoice: 'required', reasoning: { effort: 'low' } },
  ])('let pass what the API takes beside thinking: %j', (request) => {
    expect(() => bodyOf(request)).not.toThrow();
  });
});
