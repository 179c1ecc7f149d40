import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import { messageWindowMemory } from '../../src/memory/message-window-memory.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';

const chatMemory = () => messageWindowMemory({ maxMessages: 10 });

/** [what, options, the option's name, its value as shown, the remedy] */
const wrong: readonly (readonly [string, object, string, string, string])[] = [
  ['no model', { model: undefined }, 'model', 'undefined', 'it must be a chat model'],
  ['a model that is a name', { model: 'gpt-5' }, 'model', '"gpt-5"', 'as openAiChat'],
  ['a model without chat', { model: { provider: 'x' } }, 'model', 'an object with provider', 'it must be a chat model'],
  ['a blank name', { name: ' ' }, 'name', '" "', 'a text that is not empty'],
  ['a name that is no text', { name: 7 }, 'name', '7', 'a text that is not empty'],
  [
    'a system message that is an object',
    { systemMessage: { text: 'x' } },
    'systemMessage',
    'an object with text',
    'it must be a function',
  ],
  [
    'tools that are no array',
    { tools: scriptedTool('a', '|') },
    'tools',
    'an object with specification',
    'it must be an array of tools',
  ],
  [
    'a tool that is none',
    { tools: [scriptedTool('a', '|'), { name: 'b' }] },
    'tools[1]',
    'an object with name',
    'as tool({ … }) returns',
  ],
  ['a missing tool', { tools: [undefined] }, 'tools[0]', 'undefined', 'it must be a tool'],
  [
    'a tool without a name',
    { tools: [{ specification: { name: '' }, execute: () => undefined }] },
    'tools[0].specification.name',
    '""',
    'not empty',
  ],
  ['a chat memory that is none', { chatMemory: [] }, 'chatMemory', '[]', 'as messageWindowMemory'],
  ['a chat memory of null', { chatMemory: null }, 'chatMemory', 'null', 'as messageWindowMemory'],
  ['a provider of memories that is a memory', { chatMemoryProvider: 'x' }, 'chatMemoryProvider', '"x"', 'it must be a function'],
  [
    'an argument handler that is no function',
    { toolArgumentsErrorHandler: 'fail' },
    'toolArgumentsErrorHandler',
    '"fail"',
    'it must be a function',
  ],
  [
    'an execution handler that is no function',
    { toolExecutionErrorHandler: true },
    'toolExecutionErrorHandler',
    'true',
    'it must be a function',
  ],
  [
    'a strategy that is a text',
    { hallucinatedToolNameStrategy: 'no' },
    'hallucinatedToolNameStrategy',
    '"no"',
    'it must be a function',
  ],
  ['a negative number of rounds', { maxToolCallingRoundTrips: -1 }, 'maxToolCallingRoundTrips', '-1', 'a whole number from 0 up'],
  ['half a round', { maxToolCallingRoundTrips: 1.5 }, 'maxToolCallingRoundTrips', '1.5', 'a whole number from 0 up'],
  [
    'a number of rounds in a text',
    { maxToolCallingRoundTrips: '3' },
    'maxToolCallingRoundTrips',
    '"3"',
    'a whole number from 0 up',
  ],
  ['[S32] a concurrency of 0', { toolConcurrency: 0 }, 'toolConcurrency', '0', 'a whole number from 1 up'],
  ['[S32] a negative concurrency', { toolConcurrency: -2 }, 'toolConcurrency', '-2', 'a whole number from 1 up'],
  ['a concurrency that is no number', { toolConcurrency: NaN }, 'toolConcurrency', 'NaN', 'a whole number from 1 up'],
  ['a time limit of 0', { toolTimeout: 0 }, 'toolTimeout', '0', 'a number of ms above 0'],
  ['a time limit in a text', { toolTimeout: '5s' }, 'toolTimeout', '"5s"', 'a number of ms above 0'],
  ['a time limit of null', { toolTimeout: null }, 'toolTimeout', 'null', 'a number of ms above 0'],
  ['listeners that are one function', { listeners: () => undefined }, 'listeners', '', 'an array of functions'],
  ['a listener that is none', { listeners: ['log'] }, 'listeners', '["log"]', 'an array of functions'],
  ['interceptors that are an array', { interceptors: [() => undefined] }, 'interceptors', '', 'there are model, tool'],
  [
    'a model interceptor that is no array',
    { interceptors: { model: () => undefined } },
    'interceptors.model',
    '',
    'an array of functions',
  ],
  ['a tool interceptor that is none', { interceptors: { tool: [7] } }, 'interceptors.tool', '[7]', 'an array of functions'],
  ['an unknown kind of interceptors', { interceptors: { tools: [] } }, 'interceptors', 'tools', 'there are model, tool'],
  ['a generator of ids that is a text', { idGenerator: 'uuid' }, 'idGenerator', '"uuid"', 'it must be a function'],
  ['a capture of contexts that is none', { captureContext: {} }, 'captureContext', '{}', 'it must be a function'],
  ['an unknown option', { toolTimeOut: 5 }, 'toolTimeOut', '', 'toolTimeout'],
  ['a scheduler that is none', { scheduler: 'fast' }, 'scheduler', '"fast"', 'scheduler'],
  ['a logger that is none', { logger: 'quiet' }, 'logger', '"quiet"', 'warn'],
];

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('aiService', () => {
  it.each(wrong)(
    'throws at once for %s: the error names the option, shows the value and says what to do',
    (_, options, name, value, remedy) => {
      const error = thrownBy(() => aiService({ model: scriptedModel([]), ...options }));
      expect(error).toBeInstanceOf(ConfigurationError);
      for (const part of ['aiService', name, value, remedy]) expect(String(error)).toContain(part);
    },
  );

  it('[S87] throws for two tools of one name', () => {
    expect(() => aiService({ model: scriptedModel([]), tools: [scriptedTool('a', '|'), scriptedTool('a', '|')] })).toThrow(
      new ConfigurationError('aiService: two tools are named a; rename one.'),
    );
  });

  it('throws for a chat memory beside a provider of them', () => {
    const making = () => aiService({ model: scriptedModel([]), chatMemory: chatMemory(), chatMemoryProvider: chatMemory });
    expect(making).toThrow(ConfigurationError);
    expect(making).toThrow(/chatMemory and chatMemoryProvider/);
  });

  it('throws for options that are no object', () => {
    expect(() => aiService(undefined as never)).toThrow(ConfigurationError);
    expect(() => aiService('gpt-5' as never)).toThrow(ConfigurationError);
  });

  it('takes undefined for an option that is left out', () => {
    const names = [
      'name',
      'systemMessage',
      'tools',
      'chatMemory',
      'chatMemoryProvider',
      'toolArgumentsErrorHandler',
      'toolExecutionErrorHandler',
      'toolTimeout',
    ];
    const more = [
      'hallucinatedToolNameStrategy',
      'maxToolCallingRoundTrips',
      'toolConcurrency',
      'interceptors',
      'listeners',
      'logger',
      'scheduler',
    ];
    const others = ['idGenerator', 'captureContext', 'limits', 'output', 'toolProviders', 'toolSearchStrategy', 'roundRetries'];
    const later = ['approveToolExecution', 'chatRequestTransformer', 'contentRetriever', 'inputGuardrails', 'outputGuardrails'];
    const options = Object.fromEntries([...names, ...more, ...others, ...later].map((name) => [name, undefined]));
    expect(() => aiService({ model: scriptedModel([]), ...options })).not.toThrow();
  });

  it('takes Infinity for a limit that is none', () => {
    expect(() =>
      aiService({ model: scriptedModel([]), toolConcurrency: Infinity, maxToolCallingRoundTrips: Infinity }),
    ).not.toThrow();
  });
});
