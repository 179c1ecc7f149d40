import { NEVER, delay, of, retry, throwError } from 'rxjs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import type { UserMessage } from '../../src/chat/message.ts';
import { ChatMemoryBusyError } from '../../src/memory/in-turn.ts';
import { aiService, type AiService } from '../../src/service/ai-service.ts';
import type { AiServiceOptions, Input } from '../../src/service/options.ts';
import type { AiServiceStreamingEvent } from '../../src/service/streaming-event.ts';
import type { ScriptedRound } from '../../src/testing/scripted-answer.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { toolExecutionErrorHandler } from '../../src/tool/error-handlers.ts';
import { keywordToolSearch } from '../../src/tool/search/keyword-tool-search.ts';
import { tool } from '../../src/tool/tool.ts';
import type { Tool, ToolContext, ToolExecution } from '../../src/tool/types.ts';
import { toolErrorVisibleToLlm } from '../../src/tool/visible-to-llm.ts';
import { watch } from '../chat/watch.ts';
import { kept, keptLogs, neutral, outline, play, roomyMemory, type Script } from './support.ts';

/** A service that is to be a tool, with its model and what those who look on saw of it. */
function innerService<T = string>(rounds: readonly (string | ScriptedRound)[], options: Partial<AiServiceOptions<T>> = {}) {
  const model = scriptedModel(rounds);
  const fired: string[] = [];
  const listeners = [({ type }: { readonly type: string }) => void (type !== 'invocationSummary' && fired.push(type))];
  const service = aiService<T>({ model, listeners, logger: keptLogs(), ...options });
  return { model, service, fired, asked: () => model.requests.map(({ messages }) => outline(messages)) };
}

const asking = (args: unknown) => ({ calls: { A: { arguments: JSON.stringify(args) } } });

/** An invocation whose model calls the tool a once. */
const calling = (a: Tool, script: Partial<Script> = {}) =>
  play({ rounds: ['A|', 'z|'], script: asking({ input: 'what?' }), tools: [a], ...script });

const executionIn = ({ values }: { readonly values: readonly AiServiceStreamingEvent[] }): ToolExecution => {
  const ended = values.find((event) => event.type === 'afterToolExecution');
  if (!ended) throw new Error('No tool has ended.');
  return ended.execution;
};

describe('a service as a tool', () => {
  it('takes a text by default, asks its own model with it, and its answer is the result', () => {
    const { service, asked } = innerService(['--y|'], { systemMessage: 'be brief' });
    const a = service.asTool({ name: 'a', description: 'Knows a lot.' });
    expect(a.specification).toMatchObject({
      name: 'a',
      description: 'Knows a lot.',
      parameters: { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] },
    });
    const played = calling(a);
    expect(asked()).toEqual([['system: be brief', 'user: what?']]);
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: y', 'assistant: z']);
    expect(executionIn(played)).toMatchObject({ result: 'y', resultObject: 'y', hasFailed: false });
  });

  it('tells what happens in it as the progress of the call, as it happens, in virtual time', () => {
    const { service } = innerService(['-x-B|', '-y|'], { tools: [scriptedTool('b', '-r|')] });
    const played = calling(service.asTool({ name: 'a' }));
    expect(played.marbles).toBe('(A<a)(*a%)-(*a*a)(*a*a)*a*a(*a>az)($|)');
    const events = played.values.flatMap((event) =>
      event.type === 'toolProgress' ? [event.value as AiServiceStreamingEvent] : [],
    );
    expect(events.map(({ type, round }) => `${round} ${type}`)).toEqual([
      '1 partialResponse',
      '1 completeToolCall',
      '1 beforeToolExecution',
      '1 toolProgress',
      '1 intermediateResponse',
      '1 afterToolExecution',
      '2 partialResponse',
      '2 finalResponse',
    ]);
    const outer = played.values[0]!.invocation;
    expect(new Set(events.map(({ invocation }) => invocation)).size).toBe(1);
    expect(events[0]!.invocation).not.toBe(outer);
  });

  it('fires its own events for those who look on at it', () => {
    const { service, fired } = innerService(['-y|']);
    const played = calling(service.asTool({ name: 'a' }));
    expect(fired).toEqual(['started', 'requestIssued', 'responseReceived', 'completed']);
    expect(played.firedTypes).toEqual([
      'started',
      'requestIssued',
      'responseReceived',
      'toolExecuted',
      'requestIssued',
      'responseReceived',
      'completed',
    ]);
  });

  it('runs as often as it is called, the calls of one turn side by side', () => {
    const { service, asked } = innerService(['---x|', '-y|']);
    const a = service.asTool({ name: 'a' });
    const script = { calls: { A: { arguments: '{"input":"one"}' }, B: { name: 'a', arguments: '{"input":"two"}' } } };
    const played = play({ rounds: ['(AB)|', 'z|'], script, tools: [a] });
    expect(asked()).toEqual([['user: one'], ['user: two']]);
    expect(played.history.slice(2, 4)).toEqual(['A: x', 'B: y']);
  });

  it('is a tool as any other: pipe(retry()) asks it again', () => {
    const { service, fired } = innerService(['#', '-y|']);
    const played = calling(service.asTool({ name: 'a' }).pipe(retry(1)));
    expect(played.history[2]).toBe('A: y');
    expect(fired.filter((type) => type === 'started')).toHaveLength(2);
  });

  it('has null for an answer without text', () => {
    expect(calling(innerService(['-|']).service.asTool({ name: 'a' })).history[2]).toBe('A: null');
  });
});

describe('the input of a service as a tool', () => {
  it('is made of the checked arguments, whatever kind of value that is', async () => {
    const parameters = z.object({ city: z.string(), days: z.number().default(3) });
    const inputs: readonly ((
      args: z.infer<typeof parameters>,
    ) => ReturnType<NonNullable<Parameters<AiService['asTool']>[0]['input']>>)[] = [
      ({ city, days }) => `${city} ${days}`,
      ({ city, days }) => of(`${city} ${days}`),
      ({ city, days }) => [{ type: 'text', text: `${city} ${days}` }],
      ({ city, days }): UserMessage => ({ role: 'user', contents: [{ type: 'text', text: `${city} ${days}` }] }),
    ];
    for (const input of inputs) {
      const { service, asked } = innerService(['-y|']);
      const played = calling(service.asTool({ name: 'a', parameters, input }), { script: asking({ city: 'Oslo' }) });
      expect(asked()).toEqual([['user: Oslo 3']]);
      expect(executionIn(played).arguments).toEqual({ city: 'Oslo', days: 3 });
    }
    const { service, asked } = innerService(['(y|)']);
    const a = service.asTool({ name: 'a', parameters, input: ({ city }) => Promise.resolve(city) });
    const outer = aiService({ model: scriptedModel(['(A|)', '(z|)'], asking({ city: 'Oslo' })), tools: [a] });
    await new Promise((resolve, reject) => outer.text('hello').subscribe({ complete: () => resolve(undefined), error: reject }));
    expect(asked()).toEqual([['user: Oslo']]);
  });

  it('may take its time, and is left with the call', () => {
    const { service, model } = innerService(['-y|']);
    const slow = service.asTool({ name: 'a', input: ({ input }) => of(String(input)).pipe(delay(3)) });
    expect(calling(slow).marbles).toBe('(A<a)%--*a(*a>az)($|)');
    const never = service.asTool({ name: 'a', input: () => NEVER });
    expect(calling(never, { subscription: '^---!' }).marbles).toBe('(A<a)%');
    expect(model.requests).toHaveLength(1);
  });

  it('is the JSON of the arguments where there is neither an input function nor an argument of that name', () => {
    const schemas = [
      z.object({ city: z.string() }),
      { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    ] as const;
    for (const parameters of schemas) {
      const { service, asked } = innerService(['-y|']);
      const a = service.asTool({ name: 'a', parameters });
      expect(a.specification.parameters).toMatchObject({ properties: { city: { type: 'string' } } });
      calling(a, { script: asking({ city: 'Oslo' }) });
      expect(asked()).toEqual([['user: {"city":"Oslo"}']]);
    }
  });

  it('is not made of arguments that do not fit: the model is told, and the service is not asked', () => {
    const { service, model } = innerService([]);
    for (const script of [asking({}), asking({ input: 7 })]) {
      const played = calling(service.asTool({ name: 'a' }), { script });
      expect(played.history[2]).toMatch(/^A! .*input/s);
    }
    expect(model.requests).toEqual([]);
  });

  it('that fails, or is none, is the error of the tool', () => {
    const { service, model } = innerService([]);
    const down = new Error('down');
    expect(calling(service.asTool({ name: 'a', input: () => throwError(() => down) })).error).toBe(down);
    const odd = calling(service.asTool({ name: 'a', input: () => 7 as unknown as Input }));
    expect(odd.error).toBeInstanceOf(ConfigurationError);
    expect((odd.error as Error).message).toMatch(/tool .*: what input returned is 7/);
    expect(model.requests).toEqual([]);
  });

  it('is told the context of the call', () => {
    const contexts: ToolContext[] = [];
    const { service, asked } = innerService(['-y|']);
    const a = service.asTool({
      name: 'a',
      input: (_, context) => {
        contexts.push(context);
        return String(context.parameters.get('tenant'));
      },
    });
    const played = calling(a, { call: { parameters: { tenant: 'acme' } } });
    expect(contexts[0]!.invocation).toBe(played.values[0]!.invocation);
    expect(asked()).toEqual([['user: acme']]);
  });
});

describe('leaving an invocation whose tool is a service', () => {
  it('goes through: its model and its tools are unsubscribed from, and it is cancelled', () => {
    const b = scriptedTool('b', '--------r|');
    const { service, model, fired } = innerService(['-B------x|'], { tools: [b] });
    const played = calling(service.asTool({ name: 'a' }), { subscription: '^----!' });
    expect(played.firedTypes.at(-1)).toBe('cancelled');
    expect(model.subscriptions()).toEqual(['^----!']);
    expect(b.subscriptions()).toEqual(['-^---!']);
    expect(fired).toEqual(['started', 'requestIssued', 'cancelled']);
  });

  it('happens to the service alone when the call takes too long: the model is told', () => {
    const { service, fired } = innerService(['-x--------|']);
    const played = calling(service.asTool({ name: 'a' }), { toolTimeout: 4 });
    expect(played.history[2]).toBe('A! Tool a took longer than 4 ms and was stopped.');
    expect(fired.at(-1)).toBe('cancelled');
    expect(played.firedTypes.at(-1)).toBe('completed');
  });

  it('happens to the service alone when the call is cancelled', () => {
    const { service, fired } = innerService([{ marbles: '', response: {} }]);
    const outer = aiService({
      model: scriptedModel(['(A|)', '(z|)'], asking({ input: 'what?' })),
      tools: [service.asTool({ name: 'a' })],
    });
    const running = outer.start('hello');
    expect(running.cancelToolCall('A')).toBe(true);
    expect(fired.at(-1)).toBe('cancelled');
    expect(watch(running.result$).values[0]).toMatchObject({ content: 'z', toolExecutions: [{ hasFailed: true }] });
  });

  it('is no cancel of the service once it has answered', () => {
    const { service, fired } = innerService(['-y|']);
    calling(service.asTool({ name: 'a' }), { rounds: ['A|', '-----z|'], subscription: '^-----!' });
    expect(fired.at(-1)).toBe('completed');
  });
});

describe('a service as a tool that fails', () => {
  const broken = new Error('b is broken');
  const failing = (error: unknown = broken) =>
    innerService(['B|'], {
      tools: [scriptedTool('b', '-#', { error })],
      toolExecutionErrorHandler: toolExecutionErrorHandler.failInvocation(),
    });

  it('fails the invocation with its own error, as any tool does; memory has no text of it', () => {
    const { service, fired } = failing();
    const played = calling(service.asTool({ name: 'a' }));
    expect(played.error).toBe(broken);
    expect(fired.at(-1)).toBe('error');
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', `A! ${neutral}`]);
  });

  it('does so when its model fails, too', () => {
    const { service } = innerService(['-x#']);
    const played = calling(service.asTool({ name: 'a' }));
    expect(played.error).toMatchObject({ name: 'ChatModelError', kind: 'interrupted' });
  });

  it('is for the error handler of the service that calls it', () => {
    const seen: unknown[] = [];
    const played = calling(failing().service.asTool({ name: 'a' }), {
      toolExecutionErrorHandler: (error, { request }) => {
        seen.push(error, request.name);
        return 'ask somebody else';
      },
    });
    expect(seen).toEqual([broken, 'a']);
    expect(played.history[2]).toBe('A! ask somebody else');
  });

  it('tells the model in the legacy mode', () => {
    expect(calling(failing().service.asTool({ name: 'a' }), { legacy: true }).history[2]).toBe('A! b is broken');
  });

  it('with an error that is visible to the LLM tells the model that called it', () => {
    const { service } = failing(toolErrorVisibleToLlm('there is no such city'));
    expect(calling(service.asTool({ name: 'a' })).history[2]).toBe('A! there is no such city');
  });
});

describe('the answer of a service as a tool', () => {
  it('is JSON where the service has an output, and the object for those who look at the execution', () => {
    const output = z.object({ n: z.coerce.number() });
    const model = scriptedModel(['-j|'], { events: { j: { type: 'partialResponse', text: '{"n":"7"}' } } });
    const played = calling(aiService({ model, output }).asTool({ name: 'a' }));
    expect(played.history[2]).toBe('A: {"n":7}');
    expect(executionIn(played).resultObject).toEqual({ n: 7 });
  });

  it('is the results of its tools where they are its answer: contents stay contents', () => {
    const image = { type: 'image', url: 'https://example.org/a.png' } as const;
    const tools = [
      tool({ name: 'b', execute: () => image, returnBehavior: 'immediate' }),
      tool({ name: 'c', execute: () => 'a caption', returnBehavior: 'immediate' }),
    ];
    const { service } = innerService(['(BC)|'], { tools });
    const played = calling(service.asTool({ name: 'a' }));
    expect(executionIn(played).resultContents).toEqual([image, { type: 'text', text: 'a caption' }]);
    expect(played.history[2]).toBe('A: (image)+a caption');
  });

  it('may end the outer invocation', () => {
    const { service } = innerService(['-y|']);
    const a = service.asTool({ name: 'a', returnBehavior: 'immediate' });
    const played = calling(a, { rounds: ['A|'] });
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: y']);
    expect(played.values.at(-1)).toMatchObject({ type: 'finalResponse', round: 1 });
  });

  it('has passed the guardrails of the service', () => {
    const { service } = innerService(['-y|'], { outputGuardrails: [() => ({ type: 'success', rewrittenText: 'mild' })] });
    expect(calling(service.asTool({ name: 'a' })).history[2]).toBe('A: mild');
  });
});

describe('the memory of a service as a tool', () => {
  it('is its own, and it remembers from call to call', () => {
    const memory = roomyMemory();
    const { service, asked } = innerService(['-x|', '-y|'], { chatMemory: memory });
    const a = service.asTool({ name: 'a' });
    const played = play({ rounds: ['A|', 'A|', 'z|'], script: asking({ input: 'more' }), tools: [a], idGenerator: () => 'id' });
    expect(asked()[1]).toEqual(['user: more', 'assistant: x', 'user: more']);
    expect(outline(kept(memory))).toEqual(['user: more', 'assistant: x', 'user: more', 'assistant: y']);
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: x', 'assistant: [id]', 'id: y', 'assistant: z']);
  });

  it('is that of the same memoryId where it has one for each', () => {
    const ids: unknown[] = [];
    const chatMemoryProvider = (id: unknown) => {
      ids.push(id);
      return roomyMemory();
    };
    const { service } = innerService(['-x|', '-y|'], { chatMemoryProvider });
    const a = service.asTool({ name: 'a' });
    calling(a, { chatMemoryProvider: roomyMemory, call: { memoryId: 'ann' } });
    calling(a);
    expect(ids).toEqual(['ann', 'default']);
    expect(outline(kept(service.chatMemory('ann')))).toEqual(['user: what?', 'assistant: x']);
  });

  it('is no hindrance where it has but one, or none: the memoryId is then not for it', () => {
    for (const options of [{ chatMemory: roomyMemory() }, {}]) {
      const { service } = innerService(['-x|'], options);
      const played = calling(service.asTool({ name: 'a' }), { chatMemoryProvider: roomyMemory, call: { memoryId: 'ann' } });
      expect(played.marbles.endsWith('($|)')).toBe(true);
    }
  });

  it('that is the one of the outer service fails with ChatMemoryBusyError instead of waiting for itself', () => {
    const memory = roomyMemory();
    const { service } = innerService(['-x|'], { chatMemory: memory });
    const played = calling(service.asTool({ name: 'a' }), { chatMemory: memory });
    expect(played.error).toBeInstanceOf(ChatMemoryBusyError);
    expect(outline(kept(memory))).toEqual(['user: hello', 'assistant: [A]', `A! ${neutral}`]);
  });

  it('lets calls of one turn take turns', () => {
    const { service, asked } = innerService(['---x|', '-y|'], { chatMemory: roomyMemory() });
    const script = { calls: { A: { arguments: '{"input":"one"}' }, B: { name: 'a', arguments: '{"input":"two"}' } } };
    play({ rounds: ['(AB)|', 'z|'], script, tools: [service.asTool({ name: 'a' })] });
    expect(asked()).toEqual([['user: one'], ['user: one', 'assistant: x', 'user: two']]);
  });
});

describe('the parameters of an invocation', () => {
  it('are handed to the service that is a tool, as a copy', () => {
    const inner: unknown[] = [];
    const b = tool({
      name: 'b',
      execute: (_, { parameters }) => {
        inner.push(parameters.get('tenant'));
        parameters.set('tenant', 'other');
      },
    });
    const { service } = innerService(['B|', '-y|'], { tools: [b] });
    const played = calling(service.asTool({ name: 'a' }), { call: { parameters: { tenant: 'acme' } } });
    expect(inner).toEqual(['acme']);
    expect(played.values[0]!.invocation.parameters.get('tenant')).toBe('acme');
  });
});

describe('two services', () => {
  /** Each has the other as a tool; the first one's tool is made when it is first needed. */
  function mutual(options: Partial<AiServiceOptions> = {}) {
    const script = { calls: { B: { name: 'b', arguments: '{"input":"to b"}' }, A: { arguments: '{"input":"to a"}' } } };
    const ofA = scriptedModel(['(B|)', '(y|)', '(z|)'], script);
    const ofB = scriptedModel(['(A|)', '(x|)'], script);
    const b: AiService = aiService({ model: ofB, toolProviders: [{ provideTools: () => [a.asTool({ name: 'a' })] }] });
    const a: AiService = aiService({ model: ofA, tools: [b.asTool({ name: 'b' })], ...options });
    return { a, ofA, ofB };
  }

  it('can call each other', () => {
    const { a, ofA, ofB } = mutual();
    expect(watch(a.text('hello')).values).toEqual(['z']);
    expect([...ofA.requests, ...ofB.requests].map(({ messages }) => outline(messages))).toEqual([
      ['user: hello'],
      ['user: to a'],
      ['user: hello', 'assistant: [B]', 'B: x'],
      ['user: to b'],
      ['user: to b', 'assistant: [A]', 'A: y'],
    ]);
  });

  it('that call each other on a memory that is held further out fail instead of waiting', () => {
    const { a } = mutual({ chatMemory: roomyMemory() });
    expect(watch(a.text('hello')).error).toBeInstanceOf(ChatMemoryBusyError);
  });
});

describe('asTool()', () => {
  const { service } = innerService([]);

  it('takes the traits of a tool', () => {
    const a = service.asTool({
      name: 'a',
      returnBehavior: 'immediateIfLast',
      searchBehavior: 'alwaysVisible',
      execution: 'exclusive',
      needsApproval: true,
      metadata: { cost: 3 },
    });
    expect(a).toMatchObject({ returnBehavior: 'immediateIfLast', searchBehavior: 'alwaysVisible', execution: 'exclusive' });
    expect(a.needsApproval).toBeDefined();
    expect(a.specification.metadata).toEqual({ cost: 3 });
  });

  it('lets somebody approve of a call by its arguments', () => {
    const asked: string[] = [];
    const inner = innerService(['-y|']);
    const a = inner.service.asTool({
      name: 'a',
      parameters: z.object({ city: z.string() }),
      needsApproval: ({ city }) => city === 'Oslo',
      input: ({ city }) => city,
    });
    const approveToolExecution = ({ arguments: text }: { readonly arguments: string }) => {
      asked.push(text);
      return { approved: false, reason: 'not there' };
    };
    const refused = calling(a, { script: asking({ city: 'Oslo' }), approveToolExecution });
    expect(refused.history[2]).toBe('A! The call was not approved: not there');
    expect(inner.model.requests).toEqual([]);
    expect(calling(a, { script: asking({ city: 'Rome' }), approveToolExecution }).history[2]).toBe('A: y');
    expect(asked).toEqual(['{"city":"Oslo"}']);
  });

  it('is found by a tool search', () => {
    const inner = innerService(['-y|']);
    const a = inner.service.asTool({ name: 'a', description: 'Knows all of chess.' });
    const search = { name: 'tool_search_tool', arguments: '{"terms":["chess"]}' };
    const played = play({
      rounds: ['S|', 'A|', 'z|'],
      script: { calls: { ...asking({ input: 'what?' }).calls, S: search } },
      tools: [a],
      toolSearchStrategy: keywordToolSearch(),
    });
    expect(played.history.slice(2, 5)).toEqual(['S: Tools found: a', 'assistant: [A]', 'A: y']);
  });

  it.each([
    ['an unknown option', { name: 'a', title: 'x' }, /asTool: unknown option title/],
    ['an execute of its own', { name: 'a', execute: () => 1 }, /asTool: unknown option execute/],
    ['a compensate of its own', { name: 'a', compensate: () => 1 }, /asTool: unknown option compensate/],
    ['an input that is no function', { name: 'a', input: 'what?' }, /asTool: input is "what\?"; it must be a function/],
    ['no name', {}, /name is undefined/],
    ['parameters that are no object', { name: 'a', parameters: z.string() }, /parameters/],
    ['a trait that there is not', { name: 'a', execution: 'soon' }, /execution is "soon"/],
    ['no object', undefined, /there must be an object of options/],
  ])('throws for %s', (_, definition, message) => {
    expect(() => service.asTool(definition as never)).toThrow(ConfigurationError);
    expect(() => service.asTool(definition as never)).toThrow(message);
  });
});

// The type checker is the judge here.
describe('the types of asTool()', () => {
  const { service } = innerService([]);

  it('infer the arguments of input and needsApproval from zod', () => {
    const a = service.asTool({
      name: 'a',
      parameters: z.object({ city: z.string(), days: z.number().default(3) }),
      needsApproval: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ city: string; days: number }>();
        return args.days > 3;
      },
      input: (args, context) => {
        expectTypeOf(args).toEqualTypeOf<{ city: string; days: number }>();
        expectTypeOf(context).toEqualTypeOf<ToolContext>();
        return args.city;
      },
    });
    expectTypeOf(a).toEqualTypeOf<Tool>();
    expect(a.specification.name).toBe('a');
  });

  it('give unknown properties without zod, and take no input that is none', () => {
    service.asTool({
      name: 'a',
      input: (args) => {
        expectTypeOf(args).toEqualTypeOf<Readonly<Record<string, unknown>>>();
        return String(args['input']);
      },
    });
    // @ts-expect-error A number is no input.
    service.asTool({ name: 'a', input: () => 7 });
    // @ts-expect-error What the tool does is given.
    expect(() => service.asTool({ name: 'a', execute: () => 'x' })).toThrow(ConfigurationError);
  });
});
