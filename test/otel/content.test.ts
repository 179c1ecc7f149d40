import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import type { UserMessage } from '../../src/chat/message.ts';
import { argumentsOf, inputMessages, outputMessages } from '../../src/otel/message-parts.ts';
import type { TracingOptions } from '../../src/otel/tracing-options.ts';
import { modelNamed, played } from './played.ts';
import { complaints, keepingContext } from './traced.ts';

let release: () => void;
beforeAll(() => {
  release = keepingContext();
});
afterAll(() => release());

/** An invocation in which much is said. */
const talk = (options: TracingOptions) =>
  played(
    ({ tool }) => ({
      model: modelNamed('m', ['~tA|', 'z|'], { calls: { A: { arguments: '{"city":"Paris"}' } } }),
      systemMessage: 'Be brief.',
      tools: [
        tool('a', 'r|', {
          description: 'Looks.',
          parameters: { type: 'object', properties: { city: { type: 'string' } } },
          values: { r: { celsius: 21 } },
        }),
      ],
    }),
    options,
  );

const content = [
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'gen_ai.system_instructions',
  'gen_ai.tool.definitions',
  'gen_ai.tool.call.arguments',
  'gen_ai.tool.call.result',
];

const contentOf = ({ attributes }: ReadableSpan) =>
  Object.fromEntries(
    Object.entries(attributes)
      .filter(([name]) => content.includes(name))
      .map(([name, value]) => [name.replace('gen_ai.', ''), JSON.parse(value as string) as unknown]),
  );

const text = (words: string) => ({ type: 'text', content: words });

describe('what was said', () => {
  it('is on no span, unless that was asked for', () => {
    for (const options of [{}, { captureContent: false }]) {
      const spans = talk(options).spans();
      expect(spans.flatMap((span) => Object.keys(contentOf(span)))).toEqual([]);
      expect(JSON.stringify(spans.map(({ attributes, events, status }) => [attributes, events, status]))).not.toMatch(
        /Paris|Go|brief|21/,
      );
    }
  });

  it('is there in the JSON of the conventions, if it was', () => {
    const spans = talk({ captureContent: true });
    const user = { role: 'user', parts: [text('Go')] };
    const call = { type: 'tool_call', id: 'A', name: 'a', arguments: { city: 'Paris' } };
    const asked = { role: 'assistant', parts: [{ type: 'reasoning', content: '~' }, text('t'), call] };
    const instructions = { system_instructions: [text('Be brief.')] };
    const tools = {
      'tool.definitions': [
        {
          type: 'function',
          name: 'a',
          description: 'Looks.',
          parameters: expect.objectContaining({ properties: { city: { type: 'string' } } }) as unknown,
        },
      ],
    };
    const answer = { 'output.messages': [{ role: 'assistant', parts: [text('z')], finish_reason: 'stop' }] };
    const [first, second] = spans.named('chat m').map(contentOf);
    expect(first).toEqual({
      ...instructions,
      ...tools,
      'input.messages': [user],
      'output.messages': [{ ...asked, finish_reason: 'tool_call' }],
    });
    expect(second).toEqual({
      ...instructions,
      ...tools,
      ...answer,
      'input.messages': [
        user,
        asked,
        { role: 'tool', parts: [{ type: 'tool_call_response', id: 'A', response: '{"celsius":21}' }] },
      ],
    });
    expect(contentOf(spans.one('execute_tool a'))).toEqual({
      'tool.call.arguments': { city: 'Paris' },
      'tool.call.result': { celsius: 21 },
    });
    expect(contentOf(spans.one('invoke_agent'))).toEqual({ ...instructions, ...answer, 'input.messages': [user] });
  });

  it('passes a function first, which shortens it, leaves it out, or fails and leaves it out', () => {
    const spans = talk({
      captureContent: (said, kind) => {
        if (kind === 'toolResult') throw new Error('no');
        if (kind === 'toolArguments') return { keys: Object.keys(said as object) };
        return kind === 'systemInstructions' ? '"hidden"' : undefined;
      },
    });
    expect(contentOf(spans.named('chat m')[0]!)).toEqual({ system_instructions: 'hidden' });
    expect(contentOf(spans.one('execute_tool a'))).toEqual({ 'tool.call.arguments': { keys: ['city'] } });
  });

  it('is left out where the function gives a promise, which is told once and never is an unhandled rejection', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    const complained = complaints();
    for (const captureContent of [() => Promise.reject(new Error('no')), (said: unknown) => Promise.resolve(said)]) {
      const spans = talk({ captureContent }).spans();
      expect(spans.flatMap((span) => Object.keys(contentOf(span)))).toEqual([]);
    }
    expect(complained).toHaveLength(2);
    expect(complained[0]).toContain('captureContent gives a promise');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  it('is given to the function as a copy, with which it may do what it likes', () => {
    const value = { celsius: 21, at: { city: 'Paris' } };
    const captureContent = (said: unknown, kind: string) => {
      if (kind === 'toolResult') Object.assign(said as object, { secret: 'X' }, { at: 0 });
      if (kind === 'toolDefinitions') ((said as { parameters: object }[])[0]!.parameters as { type: string }).type = 'none';
      return said;
    };
    const parameters = { type: 'object', properties: {} };
    const spans = played(
      ({ tool }) => ({
        model: modelNamed('m', ['A|', 'z|']),
        tools: [tool('a', 'r|', { parameters, values: { r: value } })],
      }),
      { captureContent },
    );
    expect(value).toEqual({ celsius: 21, at: { city: 'Paris' } });
    expect(parameters.type).toBe('object');
    expect(contentOf(spans.one('execute_tool a'))).toMatchObject({ 'tool.call.result': { celsius: 21, secret: 'X', at: 0 } });
    expect(JSON.stringify(contentOf(spans.named('chat m')[1]!)['input.messages'])).not.toContain('X');
  });

  it('may be media, by its bytes or by where it is', () => {
    const message: UserMessage = {
      role: 'user',
      contents: [
        { type: 'image', data: 'QUJD', mediaType: 'image/png' },
        { type: 'pdf', url: 'https://example.com/x.pdf' },
      ],
    };
    expect(inputMessages([message])).toEqual([
      {
        role: 'user',
        parts: [
          { type: 'blob', modality: 'image', mime_type: 'image/png', content: 'QUJD' },
          { type: 'uri', modality: 'document', uri: 'https://example.com/x.pdf' },
        ],
      },
    ]);
  });

  it('may be nothing at all', () => {
    const aiMessage = { role: 'assistant', text: null, toolExecutionRequests: [] } as const;
    expect(outputMessages({ aiMessage })).toEqual([{ role: 'assistant', parts: [] }]);
  });

  it.each([
    ['', {}],
    ['{"a":1}', { a: 1 }],
    ['{"a":', '{"a":'],
  ])('tells arguments that are no JSON as they were written: %j', (written, told) => {
    expect(argumentsOf(written)).toEqual(told);
  });
});
