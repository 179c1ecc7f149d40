import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ChatModel } from '../../src/chat/chat-model.ts';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import { tokenWindowMemory } from '../../src/memory/token-window-memory.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { guardrail } from '../../src/chat/guardrail-result.ts';
import type { AiServiceOptions, InvocationOptions } from '../../src/service/options.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { tool } from '../../src/tool/tool.ts';
import type { Tool } from '../../src/tool/types.ts';
import { playStarted } from './started.ts';
import { play, roomyMemory, type Script } from './support.ts';

const a = tool({ name: 'a', execute: () => 'r' });
const failing = tool({
  name: 'a',
  execute: () => {
    throw new Error('broken');
  },
});
const asking = tool({ name: 'a', needsApproval: true, execute: () => 'r' });
const byHand = (execute: Tool['execute']): Tool => ({ specification: a.specification, execute, pipe: () => a });
const rounds = ['A|', 'z|'];

/** A callback that returns what it must not, as somebody without types may write it. */
const returning = (value: unknown) => () => value as never;

type Misuse = [place: string, value: unknown, options: (value: unknown) => Partial<Script>, remedy: string];

/** What the error says of each callback that returned this. */
const misuses: readonly Misuse[] = [
  [
    'aiService: what interceptors.model[1] returned',
    undefined,
    (value) => ({ interceptors: { model: [(request, _, next) => next(request), returning(value)] } }),
    'an Observable',
  ],
  [
    'aiService: what interceptors.model[0] returned',
    Promise.resolve(),
    (value) => ({ interceptors: { model: [returning(value)] } }),
    'an Observable',
  ],
  [
    'aiService: what interceptors.model gave to next',
    undefined,
    (value) => ({ interceptors: { model: [(_, __, next) => next(value as never)] } }),
    'the request',
  ],
  [
    'aiService: what interceptors.tool[0] returned',
    undefined,
    (value) => ({ tools: [a], interceptors: { tool: [returning(value)] } }),
    'an Observable',
  ],
  [
    'aiService: what interceptors.tool[0] returned',
    Promise.resolve(of()),
    (value) => ({ tools: [a], interceptors: { tool: [returning(value)] } }),
    'an Observable',
  ],
  ['tool a: what execute returned', undefined, (value) => ({ tools: [byHand(returning(value))] }), 'an Observable'],
  ['tool a: what an operator of pipe returned', undefined, (value) => ({ tools: [a.pipe(returning(value))] }), 'an Observable'],
  [
    'aiService: what toolExecutionErrorHandler returned',
    undefined,
    (value) => ({ tools: [failing], toolExecutionErrorHandler: returning(value) }),
    'the text for the model',
  ],
  [
    'aiService: what toolArgumentsErrorHandler returned',
    7,
    (value) => ({ tools: [a], script: { calls: { A: { arguments: '{' } } }, toolArgumentsErrorHandler: returning(value) }),
    'the text for the model',
  ],
  [
    'aiService: what hallucinatedToolNameStrategy returned',
    null,
    (value) => ({ hallucinatedToolNameStrategy: returning(value) }),
    'the text for the model',
  ],
  [
    'aiService: what approveToolExecution returned',
    undefined,
    (value) => ({ tools: [asking], approveToolExecution: returning(value) }),
    'true, false or',
  ],
  [
    'tool a: what needsApproval returned',
    undefined,
    (value) => ({ tools: [tool({ name: 'a', needsApproval: returning(value), execute: () => 'r' })] }),
    'true or false',
  ],
  [
    'aiService: what chatRequestTransformer returned',
    undefined,
    (value) => ({ chatRequestTransformer: returning(value) }),
    'with its messages',
  ],
  [
    'aiService: what chatRequestTransformer returned: temperature',
    'hot',
    (value) => ({ chatRequestTransformer: (request) => ({ ...request, temperature: value as never }) }),
    'a number',
  ],
  ['aiService: what systemMessage returned', 7, (value) => ({ systemMessage: returning(value) }), 'text'],
  ['aiService: what contentRetriever returned', 7, (value) => ({ contentRetriever: returning(value) }), 'an array of contents'],
  [
    'aiService: what retrievalAugmentor returned',
    undefined,
    (value) => ({ retrievalAugmentor: returning(value) }),
    '{ userMessage, contents }',
  ],
  [
    'the input guardrail inputGuardrails[0]: its result',
    undefined,
    (value) => ({ inputGuardrails: [returning(value)] }),
    'guardrail.success()',
  ],
  [
    'the output guardrail outputGuardrails[1]: its result',
    7,
    (value) => ({ rounds: ['z|'], outputGuardrails: [() => guardrail.success(), returning(value)] }),
    'guardrail.success()',
  ],
  [
    'aiService: what toolProviders[1] returned',
    7,
    (value) => ({ toolProviders: [{ provideTools: () => [] }, { provideTools: returning(value) }] }),
    'an array of tools',
  ],
  [
    'aiService: what toolProviders[1] returned',
    7,
    (value) => ({ toolProviders: [{ provideTools: () => [] }, { isDynamic: true, provideTools: returning(value) }] }),
    'an array of tools',
  ],
  [
    'aiService: what toolSearchStrategy.searchTools returned',
    undefined,
    (value) => ({ toolSearchStrategy: { searchTools: returning(value), search: () => ({ names: [] }) } }),
    'an array of tool specifications',
  ],
  [
    'aiService: what chatMemoryProvider returned for "default"',
    undefined,
    (value) => ({ chatMemoryProvider: returning(value) }),
    'a chat memory',
  ],
  [
    'tokenWindowMemory: what countTokens returned',
    undefined,
    (value) => ({ chatMemory: tokenWindowMemory({ maxTokens: 100, countTokens: returning(value) }) }),
    'a number from 0 up',
  ],
  [
    'tokenWindowMemory: what countTokens returned',
    NaN,
    (value) => ({ chatMemory: tokenWindowMemory({ maxTokens: 100, countTokens: returning(value) }) }),
    'a number from 0 up',
  ],
  [
    'the chat memory: what fit returned',
    undefined,
    (value) => ({ chatMemory: { ...roomyMemory(), fit: returning(value) } }),
    'an array of messages',
  ],
  ['aiService: what idGenerator returned', undefined, (value) => ({ idGenerator: returning(value) }), 'a text that is not empty'],
  ['aiService: what captureContext returned', undefined, (value) => ({ captureContext: returning(value) }), 'a function'],
];

const shown = (value: unknown) =>
  value instanceof Promise ? 'an instance of Promise' : typeof value === 'string' ? `"${value}"` : String(value);

describe('a callback that returns what it must not', () => {
  it.each(misuses)(
    'fails the invocation with an error that says where and what to do: %s is %s',
    (place, value, options, remedy) => {
      const played = play({ rounds, ...options(value) });
      expect(played.error).toBeInstanceOf(ConfigurationError);
      const { message } = played.error as Error;
      expect(message).toContain(`${place} is ${shown(value)}; `);
      expect(message).toContain(remedy);
      expect(played.firedTypes.at(-1) ?? 'error').toBe('error');
    },
  );

  it('a model: the error says so, with interceptors or without', () => {
    const model: ChatModel = { provider: 'odd', chat: returning(undefined) };
    for (const options of [
      {},
      { interceptors: { model: [(request, _, next) => next(request)] } },
    ] satisfies Partial<AiServiceOptions>[]) {
      let failure: unknown;
      aiService({ model, ...options })
        .text('hello')
        .subscribe({ error: (error: unknown) => (failure = error) });
      expect(String(failure)).toBe(
        'ConfigurationError: aiService: what model.chat returned is undefined; it must be an Observable.',
      );
    }
  });

  it('the input of a service as a tool: the error names the tool', () => {
    const desk = aiService({ model: scriptedModel([]) }).asTool({ name: 'a', input: returning(undefined) });
    expect(String(play({ rounds, script: { calls: { A: { arguments: '{"input":"hi"}' } } }, tools: [desk] }).error)).toContain(
      'tool a: what input returned is undefined; it must be text',
    );
  });

  it('decideToolCall tells its caller what is wrong with the decision', () => {
    const { answers } = playStarted({
      rounds,
      tools: [asking],
      meanwhile: { 2: ({ decideToolCall }) => decideToolCall('A', 7 as never) },
    });
    expect(String(answers[2])).toContain('what decideToolCall was given is 7; it must be true, false or { approved, reason? }');
  });

  it('a memory without the methods that it needs is refused at once', () => {
    const half = { id: 'x', messages: () => [] } as never;
    expect(() => aiService({ model: scriptedModel([]), chatMemory: half })).toThrow(
      'aiService: chatMemory is an object with id, messages; it must be',
    );
    expect(String(play({ rounds, chatMemoryProvider: () => half }).error)).toContain(
      'what chatMemoryProvider returned for "default" is an object',
    );
  });

  it('an operator that is none is refused when the tool is piped', () => {
    expect(() => a.pipe(undefined as never)).toThrow('tool a: operator 0 of pipe is undefined; it must be a function.');
  });

  it('is no error of a tool that went well: other callbacks may return anything', () => {
    const hooks: Partial<Script> & InvocationOptions = {
      beforeToolExecution: returning(undefined),
      afterToolExecution: returning(7),
      listeners: [returning(7)],
    };
    expect(play({ rounds, tools: [a], ...hooks }).history).toEqual(['user: hello', 'assistant: [A]', 'A: r', 'assistant: z']);
  });
});
