import { EMPTY, NEVER, delay, map, of, retry, throwError, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ChatRequest } from '../../src/chat/chat-request.ts';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import type { Value } from '../../src/chat/value.ts';
import type { AiServiceErrorEvent } from '../../src/event/lifecycle-events.ts';
import { messageWindowMemory } from '../../src/memory/message-window-memory.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { LimitExceededError } from '../../src/service/service-errors.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { drawSpan, logged, type SubscriptionSpan } from '../../src/testing/subscription-log.ts';
import { decisionModelFilteringToolProvider } from '../../src/tool/decision/decision-model-filtering-tool-provider.ts';
import { executorTool } from '../../src/tool/executor-tool.ts';
import { textResult } from '../../src/tool/tool-result.ts';
import type { ToolProvider, ToolProviderRequest } from '../../src/tool/tool-provider.ts';
import { tool } from '../../src/tool/tool.ts';
import type { Tool } from '../../src/tool/types.ts';
import { watch } from '../chat/watch.ts';
import { judge, toolNamed } from '../tool/decision/support.ts';
import { outline, play } from './support.ts';

type Offer = Value<readonly Tool[] | null | undefined>;

/** A provider that keeps what it was asked. */
function provider(
  offer: (call: number, request: ToolProviderRequest) => Offer,
  isDynamic?: boolean,
): ToolProvider & { readonly requests: readonly ToolProviderRequest[] } {
  const requests: ToolProviderRequest[] = [];
  return {
    requests,
    provideTools: (request) => {
      requests.push(request);
      return offer(requests.length, request);
    },
    ...(isDynamic !== undefined && { isDynamic }),
  };
}

const dynamic = (offer: Parameters<typeof provider>[0]) => provider(offer, true);
const told = ({ toolSpecifications = [] }: ChatRequest) => toolSpecifications.map(({ name }) => name);
const toldOf = ({ requests }: { readonly requests: readonly ChatRequest[] }) => requests.map(told);
const said = (text: string) => ({ role: 'user', contents: [{ type: 'text', text }] });
const [a, b, c] = ['a', 'b', 'c'].map((name) => toolNamed(name)) as [Tool, Tool, Tool];

describe('a tool provider', () => {
  it('[S92] is asked once per invocation, before the first request, with the message, the conversation and the invocation', () => {
    const own = provider(() => [a]);
    const played = play({ rounds: ['A|', 'A|', 'z|'], toolProviders: [own], systemMessage: 'be kind' });
    expect(own.requests).toHaveLength(1);
    expect(own.requests[0]).toEqual({
      userMessage: said('hello'),
      messages: [{ role: 'system', text: 'be kind' }, said('hello')],
      invocation: played.values[0]!.invocation,
    });
    expect(own.requests[0]!.invocation).toBe(played.values[0]!.invocation);
    expect(toldOf(played.model)).toEqual([['a'], ['a'], ['a']]);
  });

  it('is asked again by the next invocation, with the history of the memory', () => {
    const own = provider(() => [a]);
    const service = aiService({
      model: scriptedModel(['(t|)', '(u|)']),
      toolProviders: [own],
      chatMemory: messageWindowMemory({ maxMessages: 9 }),
    });
    watch(service.text('one'));
    watch(service.text('two'));
    expect(own.requests.map(({ messages }) => outline(messages))).toEqual([
      ['user: one'],
      ['user: one', 'assistant: t', 'user: two'],
    ]);
  });

  it("[S19] [S67] offers tools that run as the service's own do, executors among them, on their own time", () => {
    const executed = executorTool({ name: 'b', parameters: { type: 'object' } }, ({ arguments: text }) =>
      timer(2).pipe(map(() => textResult(text, false))),
    );
    const played = play({
      rounds: ['(AB)|', 'z|'],
      script: { calls: { B: { arguments: '{"n":1}' } } },
      toolProviders: [provider(() => [scriptedTool('a', '---r|'), executed])],
    });
    expect(played.marbles).toBe('(A<aB<b)%>b*a(>az)($|)');
    expect(played.history).toEqual(['user: hello', 'assistant: [A B]', 'A: r', 'B: {"n":1}', 'assistant: z']);
  });

  it('[S19] [S67] offers executors that answer with promises', async () => {
    const executed = executorTool({ name: 'a', parameters: { type: 'object' } }, () => Promise.resolve(textResult('r', false)));
    const service = aiService({
      model: scriptedModel(['A|', 'z|']),
      toolProviders: [provider(() => Promise.resolve([executed]))],
    });
    const results = await new Promise<unknown>((resolve, reject) =>
      service.result('hello').subscribe({ next: ({ toolExecutions }) => resolve(toolExecutions), error: reject }),
    );
    expect(results).toMatchObject([{ result: 'r', hasFailed: false }]);
  });

  it('[S86] stands beside others and beside tools of the service: theirs come first, then those of the providers in order', () => {
    const played = play({
      rounds: ['(AC)|', 'z|'],
      tools: [c],
      toolProviders: [provider(() => timer(4).pipe(map(() => [b]))), provider(() => [a])],
    });
    expect(toldOf(played.model)[0]).toEqual(['c', 'b', 'a']);
    expect(played.history.slice(2, 4)).toEqual(['A: a', 'C: c']);
  });

  it('is asked at the same time as the others: the slowest delays the first request', () => {
    const later = (ms: number, item: Tool) => provider(() => timer(ms).pipe(map(() => [item])));
    const played = play({ rounds: ['-t|'], toolProviders: [later(5, a), later(3, b)] });
    expect(played.marbles).toBe('------t($|)');
    expect(told(played.model.requests[0]!)).toEqual(['a', 'b']);
  });

  const nothings: readonly (readonly [string, () => Offer])[] = [
    ['null', () => null],
    ['undefined', () => undefined],
    ['an empty array', () => []],
    ['an Observable of null', () => of(null)],
    ['an Observable that completes empty', () => EMPTY],
  ];
  it.each(nothings)('offers nothing with %s, static or dynamic', (_, offer) => {
    for (const isDynamic of [false, true]) {
      const played = play({ rounds: ['-t|'], tools: [a], toolProviders: [provider(offer, isDynamic)] });
      expect(played.marbles).toBe('-t($|)');
      expect(toldOf(played.model)).toEqual([['a']]);
    }
  });

  it('that offers nothing to a service without tools leaves the request without any', () => {
    const played = play({ rounds: ['-t|'], toolProviders: [provider(() => [])] });
    expect('toolSpecifications' in played.model.requests[0]!).toBe(false);
  });

  const junk: readonly (readonly [string, unknown, RegExp])[] = [
    ['a text', 'tools', /what toolProviders\[0\] returned is "tools".*array of tools/],
    ['one tool', a, /what toolProviders\[0\] returned.*array of tools/],
    ['an array of something else', [{ name: 'a' }], /what toolProviders\[0\] returned\[0\].*tool\(\{ … \}\)/],
    ['an array with a hole in it', [a, undefined], /what toolProviders\[0\] returned\[1\]/],
    ['a tool without a name', [{ ...a, specification: {} }], /what toolProviders\[0\] returned\[0\]\.specification\.name/],
  ];
  it.each(junk)('that offers %s fails the invocation with an error that says so, static or dynamic', (_, offer, message) => {
    for (const isDynamic of [false, true]) {
      const played = play({ rounds: ['-t|'], toolProviders: [provider(() => offer as never, isDynamic)] });
      expect(played.marbles).toBe('#');
      expect(played.error).toBeInstanceOf(ConfigurationError);
      expect((played.error as Error).message).toMatch(message);
      expect(played.model.requests).toEqual([]);
    }
  });

  it('that errors fails the invocation with its error, which fires the Error event, and nothing is asked or written', () => {
    const down = new Error('down');
    const failures: readonly (() => Offer)[] = [
      () => {
        throw down;
      },
      () => throwError(() => down),
    ];
    for (const failure of failures) {
      for (const isDynamic of [false, true]) {
        const played = play({ rounds: [], toolProviders: [provider(failure, isDynamic)] });
        expect(played.marbles).toBe('#');
        expect(played.error).toBe(down);
        expect(played.firedTypes).toEqual(['started', 'error']);
        expect((played.fired[1] as AiServiceErrorEvent).error).toBe(down);
        expect(played.history).toEqual([]);
      }
    }
  });

  it('that rejects fails the invocation with its error, and is no unhandled rejection', async () => {
    const down = new Error('down');
    const service = aiService({ model: scriptedModel([]), toolProviders: [provider(() => Promise.reject(down))] });
    const error = await new Promise((resolve) => service.stream('hello').subscribe({ error: resolve }));
    expect(error).toBe(down);
  });

  it('[S88] reads the parameters of the invocation, and what it writes there the tools read', () => {
    const reading = tool({ name: 'a', execute: (_, { parameters }) => parameters.get('tenant') });
    const own = provider((_, { invocation: { parameters } }) => {
      parameters.set('tenant', `${String(parameters.get('tenant'))}-1`);
      return [reading];
    });
    const played = play({ rounds: ['A|', 'z|'], toolProviders: [own], call: { parameters: { tenant: 'acme' } } });
    expect(played.history[2]).toBe('A: acme-1');
  });

  it('that is slow is unsubscribed from when the invocation is left, and the model is never asked', () => {
    for (const isDynamic of [false, true]) {
      const spans: SubscriptionSpan[] = [];
      const slow = provider(() => logged(NEVER, spans), isDynamic);
      const played = play({ rounds: [], toolProviders: [slow], subscription: '^---!' });
      expect(played.marbles).toBe('');
      expect(spans.map(drawSpan)).toEqual(['^---!']);
      expect(played.model.requests).toEqual([]);
      expect(played.firedTypes).toEqual(['started', 'cancelled']);
    }
  });

  it('that is slow does not outlast the time of the invocation', () => {
    for (const isDynamic of [false, true]) {
      const spans: SubscriptionSpan[] = [];
      const slow = provider(() => logged(NEVER, spans), isDynamic);
      const played = play({ rounds: [], toolProviders: [slow], limits: { duration: 4 } });
      expect(played.marbles).toBe('----#');
      expect(played.error).toBeInstanceOf(LimitExceededError);
      expect(spans.map(drawSpan)).toEqual(['^---!']);
    }
  });
});

describe('a static tool provider', () => {
  const clashes: readonly (readonly [string, readonly Tool[], readonly ToolProvider[]])[] = [
    ["one of the service's", [a], [provider(() => [toolNamed('a')])]],
    ["another provider's", [], [provider(() => [a]), provider(() => [b, toolNamed('a')])]],
    ['another one of its own', [], [provider(() => [a, toolNamed('a')])]],
  ];
  it.each(clashes)(
    '[S87] that offers a tool of the same name as %s is a configuration error, as a notification',
    (_, tools, providers) => {
      const played = play({ rounds: [], tools, toolProviders: providers });
      expect(played.marbles).toBe('#');
      expect(played.error).toBeInstanceOf(ConfigurationError);
      expect((played.error as Error).message).toMatch(/two tools are named a, one of them of a tool provider; rename one/);
      expect(played.firedTypes).toEqual(['started', 'error']);
    },
  );

  it('is not asked again when a failed invocation goes on', () => {
    const own = provider(() => [a]);
    const played = play({ rounds: ['A|', '#', 'z|'], toolProviders: [own], pipe: retry(1) });
    expect(own.requests).toHaveLength(1);
    expect(toldOf(played.model)).toEqual([['a'], ['a'], ['a']]);
    expect(played.history).toEqual(['user: hello', 'assistant: [A]', 'A: a', 'assistant: z']);
  });

  it('that has failed is asked again, with those beside it', () => {
    const flaky = provider((call) => (call === 1 ? throwError(() => new Error('down')) : [a]));
    const other = provider(() => [b]);
    const played = play({ rounds: ['z|'], toolProviders: [other, flaky], pipe: retry(1) });
    expect(played.marbles).toBe('z($|)');
    expect([other.requests.length, flaky.requests.length]).toEqual([2, 2]);
    expect(toldOf(played.model)).toEqual([['b', 'a']]);
  });

  it('leaves the tools that a model is told of the same array in each request, so that it can keep what it made of them', () => {
    const { model } = play({ rounds: ['A|', 'A|', 'z|'], tools: [b], toolProviders: [provider(() => [a])] });
    const [first, second, third] = model.requests.map(({ toolSpecifications }) => toolSpecifications);
    expect(first!.map(({ name }) => name)).toEqual(['b', 'a']);
    expect(second).toBe(first);
    expect(third).toBe(first);
  });

  it("that offers nothing leaves the service's own array in place, the same for all invocations", () => {
    const model = scriptedModel(['(t|)', '(u|)']);
    const service = aiService({ model, tools: [b], toolProviders: [provider(() => [])] });
    watch(service.text('one'));
    watch(service.text('two'));
    const [first, second] = model.requests.map(({ toolSpecifications }) => toolSpecifications);
    expect(second).toBe(first);
  });
});

describe('a dynamic tool provider', () => {
  it('[S92] is asked before each request, the first included, with the conversation so far', () => {
    const own = dynamic(() => [a]);
    play({ rounds: ['A|', 'A|', 'z|'], toolProviders: [own], idGenerator: () => 'id' });
    expect(own.requests.map(({ messages }) => outline(messages))).toEqual([
      ['user: hello'],
      ['user: hello', 'assistant: [A]', 'A: a'],
      ['user: hello', 'assistant: [A]', 'A: a', 'assistant: [id]', 'id: a'],
    ]);
    expect(new Set(own.requests.map(({ invocation }) => invocation)).size).toBe(1);
  });

  it('delays each request for as long as it takes', () => {
    const own = dynamic(() => of([a]).pipe(delay(2)));
    expect(play({ rounds: ['A|', 'z|'], toolProviders: [own] }).marbles).toBe('--(A<a>a)%-z($|)');
  });

  it('[S93] that offers a new tool before the second request makes it known and runs it', () => {
    const played = play({ rounds: ['A|', 'B|', 'z|'], toolProviders: [dynamic((call) => (call === 1 ? [a] : [a, b]))] });
    expect(toldOf(played.model)).toEqual([['a'], ['a', 'b'], ['a', 'b']]);
    expect(played.history.slice(3, 5)).toEqual(['assistant: [B]', 'B: b']);
  });

  it('[S94] that no longer offers a tool: the tool can still run, to the end of the invocation', () => {
    const played = play({ rounds: ['A|', 'A|', 'B|', 'z|'], toolProviders: [dynamic((call) => (call === 1 ? [a, b] : []))] });
    expect(played.history.filter((line) => /: [ab]$/.test(line))).toHaveLength(3);
    expect(played.marbles.endsWith('($|)')).toBe(true);
  });

  it('[S94] that no longer offers a tool: the model is told no more of it, unless the messages have a call of it', () => {
    const played = play({
      rounds: ['A|', 'C|', 'z|'],
      tools: [c],
      toolProviders: [dynamic((call) => (call === 1 ? [a, b] : []))],
    });
    expect(toldOf(played.model)).toEqual([
      ['c', 'a', 'b'],
      ['c', 'a'],
      ['c', 'a'],
    ]);
  });

  it('that no longer offers a tool: when the memory has let go of its call, the model is told no more of it either', () => {
    const played = play({
      rounds: ['A|', 'C|', 'z|'],
      tools: [c],
      toolProviders: [dynamic((call) => (call === 1 ? [a, b] : []))],
      chatMemory: messageWindowMemory({ maxMessages: 2 }),
    });
    expect(toldOf(played.model)).toEqual([['c', 'a', 'b'], ['c', 'a'], ['c']]);
  });

  it('that offers a tool again makes it known again', () => {
    const played = play({ rounds: ['C|', 'C|', 'z|'], tools: [c], toolProviders: [dynamic((call) => (call === 2 ? [] : [a]))] });
    expect(toldOf(played.model)).toEqual([['c', 'a'], ['c'], ['c', 'a']]);
  });

  it('offers for its invocation alone: another one does not know what it does not offer there', () => {
    const model = scriptedModel(['(A|)', '(z|)', '(A|)']);
    const service = aiService({ model, toolProviders: [dynamic((call) => (call < 3 ? [a] : []))] });
    expect(watch(service.text('one')).values).toEqual(['z']);
    expect(watch(service.text('two')).error).toMatchObject({ name: 'UnknownToolError' });
  });

  it("[S87] is ignored where a name is the service's, a static provider's, or that of a dynamic one before it", () => {
    const other = (name: string) => tool({ name, execute: () => 'other' });
    const played = play({
      rounds: ['(ABC)|', 'z|'],
      tools: [a],
      toolProviders: [dynamic(() => [other('a'), c]), provider(() => [b]), dynamic(() => [other('a'), other('b'), other('c')])],
    });
    expect(toldOf(played.model)[0]).toEqual(['a', 'b', 'c']);
    expect(played.model.requests[0]!.toolSpecifications![2]).toBe(c.specification);
    expect(played.history.slice(2, 5)).toEqual(['A: a', 'B: b', 'C: c']);
  });

  it('that makes its tools anew for each request: the newest one runs', () => {
    const own = dynamic((call) => [tool({ name: 'a', execute: () => `made ${call}` })]);
    const played = play({ rounds: ['A|', 'A|', 'z|'], toolProviders: [own], idGenerator: () => 'id' });
    expect(played.history.filter((line) => line.includes('made'))).toEqual(['A: made 1', 'id: made 2']);
  });

  it("[S142] gets the user's message in a memory of 2 messages, when long rounds have filled it", () => {
    for (const legacy of [false, true]) {
      const own = dynamic(() => [a]);
      const played = play({
        rounds: ['A|', 'A|', 'A|', 'z|'],
        legacy,
        toolProviders: [own],
        chatMemory: messageWindowMemory({ maxMessages: 2 }),
        idGenerator: () => 'id',
      });
      expect(own.requests.map(({ userMessage }) => userMessage)).toEqual(Array.from({ length: 4 }, () => said('hello')));
      expect(own.requests.map(({ messages }) => messages.length)).toEqual([1, 3, 3, 3]);
      expect(played.marbles.endsWith('($|)')).toBe(true);
    }
  });

  it('[S143] gets the message that the model gets, and in the invocation the one that the user wrote', () => {
    const own = dynamic(() => [a]);
    play({ rounds: ['A|', 'z|'], toolProviders: [own], contentRetriever: () => [{ type: 'text', text: 'a fact' }] });
    for (const { userMessage, messages, invocation } of own.requests) {
      expect(JSON.stringify(userMessage)).toContain('a fact');
      expect(messages[0]).toBe(userMessage);
      expect(invocation.userMessage).toBe(userMessage);
      expect(invocation.originalUserMessage).toEqual(said('hello'));
    }
    expect(own.requests).toHaveLength(2);
  });

  it('leaves the tools that a model is told of the same array for as long as nothing changes', () => {
    const own = dynamic((call) => (call < 3 ? [a] : [a, b]));
    const { model } = play({ rounds: ['A|', 'A|', 'A|', 'z|'], tools: [c], toolProviders: [own] });
    const [first, second, third, fourth] = model.requests.map(({ toolSpecifications }) => toolSpecifications);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
    expect(fourth).toBe(third);
  });

  it('that fails behind a round of tools fails the invocation, and the round is in memory; a retry asks it again', () => {
    const down = new Error('down');
    const flaky = () => dynamic((call) => (call === 2 ? throwError(() => down) : [a]));
    const failed = play({ rounds: ['A|', 'z|'], toolProviders: [flaky()] });
    expect(failed.error).toBe(down);
    expect(failed.history).toEqual(['user: hello', 'assistant: [A]', 'A: a']);
    expect(failed.firedTypes).toEqual(['started', 'requestIssued', 'responseReceived', 'toolExecuted', 'error']);
    const own = flaky();
    const retried = play({ rounds: ['A|', 'z|'], toolProviders: [own], pipe: retry(1) });
    expect(retried.history).toEqual(['user: hello', 'assistant: [A]', 'A: a', 'assistant: z']);
    expect(own.requests).toHaveLength(3);
    expect(toldOf(retried.model)).toEqual([['a'], ['a']]);
  });

  it('may be beside static ones, which are asked once', () => {
    const [once, each] = [provider(() => [a]), dynamic(() => [b])];
    const played = play({ rounds: ['(AB)|', 'z|'], toolProviders: [each, once] });
    expect([once.requests.length, each.requests.length]).toEqual([1, 2]);
    expect(toldOf(played.model)[0]).toEqual(['a', 'b']);
  });

  it('changes the tools that a strategy for unknown names is told of', () => {
    const available: string[][] = [];
    play({
      rounds: ['X|', 'X|', 'z|'],
      toolProviders: [dynamic((call) => (call === 1 ? [a] : [b]))],
      hallucinatedToolNameStrategy: (_, { availableTools }) => {
        available.push(availableTools.map(({ name }) => name));
        return 'there is no such tool';
      },
    });
    expect(available).toEqual([['a'], ['b']]);
  });

  it('is no hindrance to thousands of synchronous rounds', { timeout: 60_000 }, () => {
    const rounds = [...Array.from({ length: 3000 }, () => '(A|)'), '(z|)'];
    const service = aiService({
      model: scriptedModel(rounds),
      toolProviders: [dynamic(() => [a])],
      maxToolCallingRoundTrips: Infinity,
      chatMemory: messageWindowMemory({ maxMessages: 10 }),
    });
    const { values, end } = watch(service.result('hello'));
    expect(end).toBe('complete');
    expect(values[0]!.toolExecutions).toHaveLength(3000);
  });
});

describe('a decision model that filters the tools of a provider', () => {
  const filtering = (inner: ToolProvider, decisionModel = judge({ a: 0.9, b: 0.1, c: 0.7 })) => ({
    filter: decisionModelFilteringToolProvider({ toolProvider: inner, decisionModel: decisionModel.decisionModel }),
    requests: decisionModel.requests,
  });

  it("[S144] [S146] passes what helps, the likeliest first, and leaves the service's own tools alone", () => {
    const { filter, requests } = filtering(provider(() => [b, c, a]));
    const played = play({ rounds: ['A|', 'z|'], tools: [toolNamed('own')], toolProviders: [filter] });
    expect(toldOf(played.model)).toEqual([
      ['own', 'a', 'c'],
      ['own', 'a', 'c'],
    ]);
    expect(requests[0]!.questions.map(({ id }) => id)).toEqual(['b', 'c', 'a']);
    expect(played.history[2]).toBe('A: a');
  });

  it('[S149] decides once for a static provider, and before each request for a dynamic one', () => {
    for (const [isDynamic, times] of [
      [false, 1],
      [true, 3],
    ] as const) {
      const { filter, requests } = filtering(provider(() => [a, b], isDynamic));
      play({ rounds: ['A|', 'A|', 'z|'], toolProviders: [filter] });
      expect(requests).toHaveLength(times);
    }
  });

  it('[S145] [S149] before a later request sees the calls and results so far, and a called tool stays without being asked about', () => {
    const { filter, requests } = filtering(dynamic(() => [a, b]));
    const played = play({ rounds: ['A|', 'z|'], toolProviders: [filter] });
    expect(requests.map(({ questions }) => questions.map(({ id }) => id))).toEqual([['a', 'b'], ['b']]);
    expect(requests[1]!.input).toBe('user: hello\nassistant: calls a with {}\ntool: a: a');
    expect(toldOf(played.model)).toEqual([['a'], ['a']]);
  });

  it("[S150] judges by the user's own words, not by what was retrieved for them or is said of the answer's form", () => {
    const { filter, requests } = filtering(provider(() => [a]));
    play({ rounds: ['-t|'], toolProviders: [filter], contentRetriever: () => [{ type: 'text', text: 'a fact' }] });
    expect(requests[0]!.input).toBe('user: hello');
  });

  it('[S147] that fails passes all tools on, or fails the invocation where it is told to', () => {
    const down = new Error('down');
    const failing = { decide: () => throwError(() => down) };
    const toolProvider = provider(() => [a, b]);
    const logger = { warn: () => undefined };
    const passed = play({
      rounds: ['-t|'],
      toolProviders: [decisionModelFilteringToolProvider({ toolProvider, decisionModel: failing, logger })],
    });
    expect(toldOf(passed.model)).toEqual([['a', 'b']]);
    const failed = play({
      rounds: ['-t|'],
      toolProviders: [decisionModelFilteringToolProvider({ toolProvider, decisionModel: failing, fallbackStrategy: 'fail' })],
    });
    expect(failed.error).toBe(down);
    expect(failed.firedTypes).toEqual(['started', 'error']);
  });

  it('is unsubscribed from when the invocation is left while it decides', () => {
    const spans: SubscriptionSpan[] = [];
    const slow = judge({}, () => logged(NEVER, spans));
    play({
      rounds: [],
      toolProviders: [
        filtering(
          provider(() => [a]),
          slow,
        ).filter,
      ],
      subscription: '^--!',
    });
    expect(spans.map(drawSpan)).toEqual(['^--!']);
  });
});
