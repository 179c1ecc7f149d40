import { describe, expect, it } from 'vitest';
import { ChatModelError } from '../../../src/chat/chat-model-error.ts';
import type { ChatRequest } from '../../../src/chat/chat-request.ts';
import type { ToolSpecification } from '../../../src/chat/tool-specification.ts';
import { bodyOf, user } from './bodies.ts';

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const weather: ToolSpecification = { name: 'get_weather', description: 'The weather', parameters, metadata: { internal: true } };
const common = { model: 'm', stream: true, stream_options: { include_usage: true }, messages: [] };

describe('chatBody', () => {
  it('says no more than what the request sets', () => {
    expect(bodyOf({ messages: [user('hello')] })).toEqual({ ...common, messages: [{ role: 'user', content: 'hello' }] });
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
      reasoning: { effort: 'low' },
    };
    expect(bodyOf(request)).toEqual({
      ...common,
      temperature: 0,
      top_p: 0.5,
      top_k: 40,
      max_tokens: 100,
      stop: ['END'],
      frequency_penalty: 0.1,
      presence_penalty: 0.2,
      seed: 7,
      reasoning_effort: 'low',
    });
  });

  it('limits the tokens by the name that OpenAI takes, and by the old one elsewhere', () => {
    expect(bodyOf({ maxOutputTokens: 5 }, true)).toEqual({ ...common, max_completion_tokens: 5 });
    expect(bodyOf({ maxOutputTokens: 5 }, false)).toEqual({ ...common, max_tokens: 5 });
  });

  it('tells of each tool its name, description and parameters', () => {
    const bare: ToolSpecification = { name: 'now', parameters: { type: 'object', properties: {} } };
    expect(bodyOf({ toolSpecifications: [weather, bare] })).toEqual({
      ...common,
      tools: [
        { type: 'function', function: { name: 'get_weather', description: 'The weather', parameters } },
        { type: 'function', function: { name: 'now', parameters: { type: 'object', properties: {} } } },
      ],
    });
  });

  it.each([
    ['auto', 'auto'],
    ['required', 'required'],
    ['none', 'none'],
    [{ name: 'get_weather' }, { type: 'function', function: { name: 'get_weather' } }],
  ] as const)('says the tool choice %j', (toolChoice, wire) => {
    expect(bodyOf({ toolSpecifications: [weather], toolChoice })['tool_choice']).toEqual(wire);
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
    expect(bodyOf({ responseFormat: { type: 'text' } })['response_format']).toEqual({ type: 'text' });
    expect(bodyOf({ responseFormat: { type: 'json' } })['response_format']).toEqual({ type: 'json_object' });
    expect(bodyOf({ responseFormat: { type: 'json', schema } })['response_format']).toEqual({
      type: 'json_schema',
      json_schema: { name: 'response', schema },
    });
    expect(bodyOf({ responseFormat: { type: 'json', schema, name: 'sum' } })['response_format']).toEqual({
      type: 'json_schema',
      json_schema: { name: 'sum', schema },
    });
  });

  it('merges the options of the provider over everything else', () => {
    const providerOptions = {
      temperature: 1,
      service_tier: 'flex',
      stream_options: { include_usage: false },
      messages: [{ role: 'user', content: 'mine' }],
      tools: [],
    };
    expect(bodyOf({ messages: [user('hello')], temperature: 0, toolSpecifications: [weather], providerOptions })).toEqual({
      model: 'm',
      stream: true,
      ...providerOptions,
    });
  });

  it('refuses a budget for reasoning, which the API has no word for', () => {
    expect(() => bodyOf({ reasoning: { budget: 100 } })).toThrow(ChatModelError);
    expect(() => bodyOf({ reasoning: { budget: 100 } })).toThrow('does not take reasoning.budget: set reasoning.effort');
  });

  it('[G4] never sends a name that the provider rejects, be it of a tool, a choice or a call', () => {
    const odd: ToolSpecification = { ...weather, name: 'get.weather/ünï' };
    const { tools, tool_choice } = bodyOf({ toolSpecifications: [odd], toolChoice: { name: odd.name } }) as {
      tools: [{ function: { name: string } }];
      tool_choice: { function: { name: string } };
    };
    expect(tools[0].function.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(tool_choice.function.name).toBe(tools[0].function.name);
  });
});
