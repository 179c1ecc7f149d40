import type OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import type { ChatRequest } from '../../../src/chat/chat-request.ts';
import { assistant, bodyOf, result, user } from './bodies.ts';

type Published = OpenAI.ChatCompletionCreateParamsStreaming;

/** The same for every request: the stream, and its usage. */
const common = { model: 'm', stream: true, stream_options: { include_usage: true } } as const;
const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'], additionalProperties: false };
const call = { id: 'call_1', name: 'add', arguments: '{"a":1}' };
const wireCall = { id: 'call_1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } } as const;

/** What is sent must be the very JSON that the API's own types know. */
const expectBody = (request: Partial<ChatRequest>, published: Published) => expect(bodyOf(request, true)).toEqual(published);

describe('a body of the chat-completions API is as published', () => {
  it('for text and every setting', () => {
    expectBody(
      {
        messages: [{ role: 'system', text: 'Be brief.' }, user('Hello'), assistant('Hi')],
        temperature: 0,
        topP: 0.5,
        maxOutputTokens: 100,
        stopSequences: ['END'],
        frequencyPenalty: 0.1,
        presencePenalty: 0.2,
        seed: 7,
        reasoning: { effort: 'low' },
      },
      {
        ...common,
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hello' },
          { role: 'assistant', content: 'Hi' },
        ],
        temperature: 0,
        top_p: 0.5,
        max_completion_tokens: 100,
        stop: ['END'],
        frequency_penalty: 0.1,
        presence_penalty: 0.2,
        seed: 7,
        reasoning_effort: 'low',
      },
    );
  });

  it('for tools, and a choice among them', () => {
    expectBody(
      {
        messages: [user('1 + 1?')],
        toolSpecifications: [{ name: 'add', description: 'Adds', parameters: schema }],
        toolChoice: { name: 'add' },
        parallelToolCalls: false,
      },
      {
        ...common,
        messages: [{ role: 'user', content: '1 + 1?' }],
        tools: [{ type: 'function', function: { name: 'add', description: 'Adds', parameters: schema } }],
        tool_choice: { type: 'function', function: { name: 'add' } },
        parallel_tool_calls: false,
      },
    );
  });

  it('for a tool turn that is sent back', () => {
    expectBody(
      { messages: [user('1 + 1?'), assistant(null, [call]), result('call_1', 'add', '2', true)] },
      {
        ...common,
        messages: [
          { role: 'user', content: '1 + 1?' },
          { role: 'assistant', content: null, tool_calls: [wireCall] },
          { role: 'tool', tool_call_id: 'call_1', content: '2' },
        ],
      },
    );
  });

  it("for thinking that is sent back, which is DeepSeek's own addition to it", () => {
    const turn = assistant(null, [call], { thinking: 'Easy.', attributes: { reasoningField: 'reasoning_content' } });
    const message: OpenAI.ChatCompletionAssistantMessageParam = { role: 'assistant', content: null, tool_calls: [wireCall] };
    const published: Published = { ...common, messages: [message] };
    expect(bodyOf({ messages: [turn] }, true)).toEqual({ ...published, messages: [{ ...message, reasoning_content: 'Easy.' }] });
  });

  it('for images, audio and documents', () => {
    expectBody(
      {
        messages: [
          {
            role: 'user',
            contents: [
              { type: 'text', text: 'Look' },
              { type: 'image', url: 'https://x/y.png', detail: 'low' },
              { type: 'image', data: 'QUJD', mediaType: 'image/png' },
              { type: 'audio', data: 'QUJD', mediaType: 'audio/wav' },
              { type: 'pdf', data: 'QUJD', name: 'bill.pdf' },
            ],
          },
        ],
      },
      {
        ...common,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Look' },
              { type: 'image_url', image_url: { url: 'https://x/y.png', detail: 'low' } },
              { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } },
              { type: 'input_audio', input_audio: { data: 'QUJD', format: 'wav' } },
              { type: 'file', file: { filename: 'bill.pdf', file_data: 'data:application/pdf;base64,QUJD' } },
            ],
          },
        ],
      },
    );
  });

  it('for structured output', () => {
    expectBody(
      { messages: [user('How many?')], responseFormat: { type: 'json', name: 'count', schema } },
      {
        ...common,
        messages: [{ role: 'user', content: 'How many?' }],
        response_format: { type: 'json_schema', json_schema: { name: 'count', schema } },
      },
    );
    expectBody(
      { messages: [user('How many?')], responseFormat: { type: 'json' } },
      { ...common, messages: [{ role: 'user', content: 'How many?' }], response_format: { type: 'json_object' } },
    );
  });
});
