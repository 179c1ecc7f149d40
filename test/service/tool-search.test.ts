import { delay, of, retry, throwError, timer, map } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ChatRequest } from '../../src/chat/chat-request.ts';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import type { ToolExecutionRequest } from '../../src/chat/message.ts';
import { parseMessages } from '../../src/chat/parse-messages.ts';
import { fromTask } from '../../src/chat/value.ts';
import { messageWindowMemory } from '../../src/memory/message-window-memory.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { toolArgumentsErrorHandler } from '../../src/tool/error-handlers.ts';
import { decisionToolSearch } from '../../src/tool/search/decision-tool-search.ts';
import { keywordToolSearch } from '../../src/tool/search/keyword-tool-search.ts';
import type { ToolSearchRequest, ToolSearchResult, ToolSearchStrategy } from '../../src/tool/search/tool-search-strategy.ts';
import { vectorToolSearch } from '../../src/tool/search/vector-tool-search.ts';
import { tool } from '../../src/tool/tool.ts';
import type { Tool } from '../../src/tool/types.ts';
import type { Value } from '../../src/chat/value.ts';
import { watch } from '../chat/watch.ts';
import { judge, providing, toolNamed } from '../tool/decision/support.ts';
import { expectValid, kept, play, roomyMemory, type Script } from './support.ts';

const described = (name: string, description: string): Tool => tool({ name, description, execute: () => `${name} result` });
const weather = described('weather', 'Tells how warm and wet it will be.');
const time = described('time', 'Tells what time it is, and how warm the day is by then.');
const mail = described('mail', 'Sends a letter.');
const help = toolNamed('help', 'alwaysVisible');
const tools = [weather, time, mail, help];

const searching = (...terms: string[]): Partial<ToolExecutionRequest> => ({
  name: 'tool_search_tool',
  arguments: JSON.stringify({ terms }),
});
const calls = {
  S: searching('weather'),
  T: searching('warm'),
  N: searching('chess'),
  W: { name: 'weather' },
  I: { name: 'time' },
  H: { name: 'help' },
};

const told = ({ toolSpecifications = [] }: ChatRequest) => toolSpecifications.map(({ name }) => name);

/** A search of the tools by words; `S` finds the weather, `T` weather and time, `N` nothing. */
const searched = (script: Script) => {
  const played = play({ toolSearchStrategy: keywordToolSearch(), tools, script: { calls }, idGenerator: () => 'id', ...script });
  return { ...played, told: played.model.requests.map(told) };
};

/** A strategy of one's own with one search tool. */
const strategy = (search: (request: ToolSearchRequest) => Value<ToolSearchResult>, name = 'find'): ToolSearchStrategy => ({
  searchTools: () => [{ name, parameters: { type: 'object', properties: {} } }],
  search,
});
const found = (...names: string[]) => strategy(() => ({ names }));

const all = ['tool_search_tool', 'weather', 'time', 'mail', 'help'];

describe('a tool search', () => {
  it('[S136] hides the tools from the first request: there are the search tool and what is always visible', () => {
    expect(searched({ rounds: ['-t|'] }).told).toEqual([['tool_search_tool', 'help']]);
  });

  it('[S136] adds what was found to the next requests, in the order of the tools; it stays, and can be called', () => {
    const played = searched({ rounds: ['S|', 'W|', 'T|', 'z|'] });
    expect(played.told).toEqual([
      ['tool_search_tool', 'help'],
      ['tool_search_tool', 'weather', 'help'],
      ['tool_search_tool', 'weather', 'help'],
      ['tool_search_tool', 'weather', 'time', 'help'],
    ]);
    expect(played.history).toEqual([
      'user: hello',
      'assistant: [S]',
      'S: Tools found: weather',
      'assistant: [W]',
      'W: weather result',
      'assistant: [T]',
      'T: Tools found: weather, time',
      'assistant: z',
    ]);
  });

  it('[S136] has a result for the next invocation on the same memory', () => {
    const chatMemory = roomyMemory();
    searched({ rounds: ['S|', 'W|', 'z|'], chatMemory });
    expect(searched({ rounds: ['W|', 'z|'], chatMemory }).told[0]).toEqual(['tool_search_tool', 'weather', 'help']);
  });

  it('[S136] has a result for the next invocation when the memory went through JSON in between', () => {
    const chatMemory = roomyMemory();
    searched({ rounds: ['S|', 'z|'], chatMemory });
    const json = JSON.stringify(kept(chatMemory));
    const reopened = roomyMemory();
    watch(fromTask(() => reopened.set(parseMessages(JSON.parse(json)))));
    expect(searched({ rounds: ['-t|'], chatMemory: reopened }).told[0]).toEqual(['tool_search_tool', 'weather', 'help']);
  });

  it('[S136] has no result any more for a later invocation when the memory has let go of it', () => {
    const chatMemory = messageWindowMemory({ maxMessages: 4 });
    searched({ rounds: ['S|', 'z|'], chatMemory });
    searched({ rounds: ['-t|'], chatMemory });
    expect(searched({ rounds: ['-t|'], chatMemory }).told[0]).toEqual(['tool_search_tool', 'help']);
  });

  it('[S136] has its result to the end of the invocation, also when the memory has let go of it', () => {
    const played = searched({ rounds: ['S|', 'H|', 'H|', 'W|', 'z|'], chatMemory: messageWindowMemory({ maxMessages: 2 }) });
    expect(played.told.at(-1)).toEqual(['tool_search_tool', 'weather', 'help']);
    expect(played.told.at(-2)).toEqual(['tool_search_tool', 'weather', 'help']);
  });

  it('[S137] hides the tools of a static provider, and finds them', () => {
    const played = searched({ rounds: ['S|', 'W|', 'z|'], tools: [help], toolProviders: [providing(weather, time, mail)] });
    expect(played.told).toEqual([
      ['tool_search_tool', 'help'],
      ['tool_search_tool', 'help', 'weather'],
      ['tool_search_tool', 'help', 'weather'],
    ]);
    expect(played.history[4]).toBe('W: weather result');
  });

  it('[S137] without a memory has its result for this invocation alone', () => {
    const model = scriptedModel(['(S|)', '(W|)', '(z|)', '(t|)'], { calls });
    const service = aiService({ model, tools, toolSearchStrategy: keywordToolSearch() });
    expect(watch(service.text('one')).values).toEqual(['z']);
    watch(service.text('two'));
    expect(model.requests.map(told)).toEqual([
      ['tool_search_tool', 'help'],
      ['tool_search_tool', 'weather', 'help'],
      ['tool_search_tool', 'weather', 'help'],
      ['tool_search_tool', 'help'],
    ]);
  });

  it('[S138] may be asked several times in one response, with results that overlap', () => {
    const played = searched({ rounds: ['(STN)|', 'z|'] });
    expect(played.told[1]).toEqual(['tool_search_tool', 'weather', 'time', 'help']);
    expect(played.history.slice(2, 5)).toEqual([
      'S: Tools found: weather',
      'T: Tools found: weather, time',
      'N: No matching tools found. Try other words.',
    ]);
  });

  it('[S138] may be asked beside an ordinary call', () => {
    const played = searched({ rounds: ['(SH)|', '(WT)|', 'z|'] });
    expect(played.told[2]).toEqual(['tool_search_tool', 'weather', 'time', 'help']);
    expect(played.history.slice(2, 4)).toEqual(['S: Tools found: weather', 'H: help']);
    expect(played.history.slice(5, 7)).toEqual(['W: weather result', 'T: Tools found: weather, time']);
    expectValid(kept(played.memory));
  });

  it('[S138] does not double what is always visible', () => {
    const chatMemory = roomyMemory();
    searched({ rounds: ['S|', 'z|'], chatMemory });
    const visible = [tool({ name: 'weather', execute: () => 'w', searchBehavior: 'alwaysVisible' }), help];
    expect(searched({ rounds: ['-t|'], tools: visible, chatMemory }).told[0]).toEqual(['tool_search_tool', 'weather', 'help']);
  });

  it('[S139] makes a tool known that was found earlier, and ignores one that there no longer is', () => {
    const chatMemory = roomyMemory();
    searched({ rounds: ['T|', 'z|'], chatMemory });
    expect(searched({ rounds: ['-t|'], tools: [weather, mail], chatMemory }).told[0]).toEqual(['tool_search_tool', 'weather']);
    expect(searched({ rounds: ['-t|'], tools: [], chatMemory }).told[0]).toEqual(['tool_search_tool']);
  });

  it('finds nothing in a service without tools, and says so', () => {
    const played = searched({ rounds: ['S|', 'z|'], tools: [] });
    expect(played.history[2]).toBe('S: No matching tools found. Try other words.');
    expect(played.told[1]).toEqual(['tool_search_tool']);
  });

  it('leaves the tools of dynamic providers visible from the start', () => {
    const dynamic = { provideTools: () => [mail], isDynamic: true };
    const played = searched({ rounds: ['S|', 'z|'], tools: [weather], toolProviders: [dynamic] });
    expect(played.told).toEqual([
      ['tool_search_tool', 'mail'],
      ['tool_search_tool', 'weather', 'mail'],
    ]);
  });

  it('lets a tool run that the model calls without having found it; from then on the model is told of it', () => {
    const chatMemory = roomyMemory();
    const played = searched({ rounds: ['W|', 'z|'], chatMemory });
    expect(played.history[2]).toBe('W: weather result');
    expect(played.told).toEqual([
      ['tool_search_tool', 'help'],
      ['tool_search_tool', 'weather', 'help'],
    ]);
    expect(searched({ rounds: ['-t|'], chatMemory }).told[0]).toEqual(['tool_search_tool', 'weather', 'help']);
  });

  it('leaves a tool visible whose calls are in the conversation, when the search that found it is not', () => {
    const chatMemory = messageWindowMemory({ maxMessages: 5 });
    searched({ rounds: ['S|', 'z|'], chatMemory });
    searched({ rounds: ['W|', 'z|'], chatMemory });
    expect(kept(chatMemory).some(({ role }) => role === 'tool')).toBe(true);
    expect(JSON.stringify(kept(chatMemory))).not.toContain('tool_search_tool');
    expect(searched({ rounds: ['-t|'], chatMemory }).told[0]).toEqual(['tool_search_tool', 'weather', 'help']);
  });

  it('tells a strategy for unknown names only of the tools that the model sees', () => {
    const available: string[][] = [];
    searched({
      rounds: ['X|', 'z|'],
      hallucinatedToolNameStrategy: (_, { availableTools }) => {
        available.push(availableTools.map(({ name }) => name));
        return 'there is none';
      },
    });
    expect(available).toEqual([['tool_search_tool', 'help']]);
  });

  it('leaves the tools that a model is told of the same array until something new is found', () => {
    const { model } = searched({ rounds: ['H|', 'S|', 'S|', 'z|'] });
    const [first, second, third, fourth] = model.requests.map(({ toolSpecifications }) => toolSpecifications);
    expect(second).toBe(first);
    expect(third).not.toBe(second);
    expect(fourth).toBe(third);
  });

  it('is a call as any other: with its start and its end, its event, and what it found as an attribute in memory', () => {
    const played = searched({ rounds: ['-S|', 'z|'] });
    expect(played.marbles).toBe('-(T<t>t)(%z)($|)');
    expect(played.firedTypes.filter((type) => type === 'toolExecuted')).toHaveLength(1);
    expect(kept(played.memory)[2]).toMatchObject({ role: 'tool', isError: false, attributes: { foundTools: ['weather'] } });
    expect(played.values.find(({ type }) => type === 'afterToolExecution')).toMatchObject({
      execution: { result: 'Tools found: weather', attributes: { foundTools: ['weather'] } },
    });
  });

  it('finds no less where the results of tools are cut to a length', () => {
    const played = searched({ rounds: ['T|', 'z|'], maxToolResultLength: 3 });
    expect(played.told[1]).toEqual(['tool_search_tool', 'weather', 'time', 'help']);
  });

  it('keeps what it has found when a failed invocation goes on, without a memory too', () => {
    const played = searched({ rounds: ['S|', '#', 'W|', 'z|'], chatMemory: undefined, pipe: retry(1) });
    expect(played.told.slice(1)).toEqual(Array.from({ length: 3 }, () => ['tool_search_tool', 'weather', 'help']));
    expect(played.marbles.endsWith('($|)')).toBe(true);
  });

  it('works for a token stream as well', () => {
    const texts: string[] = [];
    const model = scriptedModel(['(S|)', '(W|)', '(z|)'], { calls });
    aiService({ model, tools, toolSearchStrategy: keywordToolSearch() })
      .tokenStream('hello')
      .onPartialResponse((text) => texts.push(text))
      .onToolExecuted(({ result }) => texts.push(result))
      .onError((error) => texts.push(String(error)))
      .start();
    expect(texts).toEqual(['Tools found: weather', 'weather result', 'z']);
  });
});

describe('the arguments of a search', () => {
  const none = { S: { name: 'tool_search_tool', arguments: '{}' }, W: calls.W };

  const withArguments = (text: string) => ({ ...none, S: { ...none.S, arguments: text } });
  it.each([none, withArguments('{"terms":"weather"}'), withArguments('{"terms":'), withArguments('{"terms":[]}x')])(
    '[S140] that can not be used are told to the model, in every mode, so that it can search again: $S.arguments',
    (broken) => {
      for (const legacy of [false, true]) {
        const played = searched({ rounds: ['S|', 'z|'], script: { calls: broken }, legacy });
        expect(played.history[2]).toMatch(/^S! .*tool_search_tool/s);
        expect(played.told[1]).toEqual(['tool_search_tool', 'help']);
        expect(played.marbles.endsWith('($|)')).toBe(true);
      }
    },
  );

  it('[S140] that can not be used are for the handler of arguments where the strategy says so', () => {
    const toolSearchStrategy = keywordToolSearch({ throwArgumentsError: true });
    const failing = toolArgumentsErrorHandler.failInvocation();
    const failed = searched({
      rounds: ['S|'],
      script: { calls: none },
      toolSearchStrategy,
      toolArgumentsErrorHandler: failing,
    });
    expect(failed.error).toMatchObject({ name: 'ToolArgumentsError' });
    const told = searched({
      rounds: ['S|', 'z|'],
      script: { calls: none },
      toolSearchStrategy,
      toolArgumentsErrorHandler: () => 'give terms',
    });
    expect(told.history[2]).toBe('S! give terms');
  });

  it('that came as JSON in a text are read', () => {
    const played = searched({ rounds: ['S|', 'z|'], script: { calls: withArguments('{"terms":"[\\"weather\\"]"}') } });
    expect(played.history[2]).toBe('S: Tools found: weather');
  });
});

describe("a tool search of one's own", () => {
  const finding = { F: { name: 'find', arguments: '{"q":1}' }, G: { name: 'grep' } };
  const own = (toolSearchStrategy: ToolSearchStrategy, script: Partial<Script> = {}) =>
    searched({ rounds: ['F|', 'z|'], script: { calls: { ...calls, ...finding } }, toolSearchStrategy, ...script });

  it('is given the call, the searchable tools and the context', () => {
    const requests: ToolSearchRequest[] = [];
    const keeping = strategy((request) => {
      requests.push(request);
      return { names: ['mail'] };
    });
    const played = own(keeping, { call: { parameters: { tenant: 'acme' } } });
    expect(requests[0]!.request).toEqual({ id: 'F', name: 'find', arguments: '{"q":1}' });
    expect(requests[0]!.searchableTools).toEqual([weather, time, mail].map(({ specification }) => specification));
    expect(requests[0]!.context.parameters.get('tenant')).toBe('acme');
    expect(requests[0]!.context.invocation).toBe(played.values[0]!.invocation);
    expect(played.told[1]).toEqual(['find', 'mail', 'help']);
  });

  it('that says nothing of its result: the model is told the names', () => {
    expect(own(found('mail', 'time')).history[2]).toBe('F: These tools can be called now: mail, time.');
    expect(own(found()).history[2]).toBe('F: No tools were found.');
  });

  it('may take its time, as an Observable or a promise', async () => {
    const slow = own(strategy(() => of({ names: ['mail'], text: 'there' }).pipe(delay(3))));
    expect(slow.marbles).toBe('(F<f)%-(>fz)($|)');
    expect(slow.history[2]).toBe('F: there');
    const model = scriptedModel(['(F|)', '(z|)'], { calls: finding });
    const service = aiService({ model, tools, toolSearchStrategy: strategy(() => Promise.resolve({ names: ['mail'] })) });
    await new Promise((resolve, reject) =>
      service.text('hello').subscribe({ complete: () => resolve(undefined), error: reject }),
    );
    expect(told(model.requests[1]!)).toEqual(['find', 'mail', 'help']);
  });

  it('that is slow is unsubscribed from when the invocation is left', () => {
    let isLeft = false;
    const slow = strategy(() => timer(50).pipe(map(() => ({ names: [] }))));
    const watched: ToolSearchStrategy = {
      ...slow,
      search: (request) => {
        request.context.signal.addEventListener('abort', () => (isLeft = true));
        return slow.search(request);
      },
    };
    expect(own(watched, { subscription: '^---!' }).marbles).toBe('(F<f)%');
    expect(isLeft).toBe(true);
  });

  it('may have several search tools', () => {
    const both: ToolSearchStrategy = {
      searchTools: () => ['find', 'grep'].map((name) => ({ name, parameters: { type: 'object' } })),
      search: ({ request: { name } }) => ({ names: name === 'find' ? ['mail'] : ['time'] }),
    };
    expect(own(both, { rounds: ['(FG)|', 'z|'] }).told).toEqual([
      ['find', 'grep', 'help'],
      ['find', 'grep', 'time', 'mail', 'help'],
    ]);
  });

  it('is asked for its search tools once per invocation', () => {
    let asked = 0;
    const counting: ToolSearchStrategy = {
      searchTools: (context) => {
        asked++;
        return found().searchTools(context);
      },
      search: () => ({ names: [] }),
    };
    own(counting, { rounds: ['F|', '#', 'z|'], pipe: retry(1) });
    expect(asked).toBe(1);
  });

  it.each([
    ['a name that there is not', { names: ['chess'] }, /what toolSearchStrategy\.search found is "chess".*searchable tools/],
    ['one that is no text', { names: [7] }, /what toolSearchStrategy\.search found is 7/],
    ['no names', { text: 'hm' }, /what toolSearchStrategy\.search returned.*array of names/],
    ['a text that is none', { names: [], text: 42 }, /what toolSearchStrategy\.search returned.*\{ names, text\? \}/],
    ['nothing at all', undefined, /what toolSearchStrategy\.search returned/],
  ])('[S139] that finds %s fails as a tool does: the invocation ends, or the handler tells the model', (_, result, message) => {
    const broken = strategy(() => result as ToolSearchResult);
    const failed = own(broken);
    expect(failed.error).toBeInstanceOf(ConfigurationError);
    expect((failed.error as Error).message).toMatch(message);
    const handled = own(broken, { toolExecutionErrorHandler: () => 'search failed' });
    expect(handled.history[2]).toBe('F! search failed');
    expect(handled.told[1]).toEqual(['find', 'help']);
  });

  it('that errors fails as a tool does', () => {
    const down = new Error('index down');
    for (const search of [
      () => throwError(() => down),
      () => {
        throw down;
      },
    ]) {
      const failed = own(strategy(search));
      expect(failed.error).toBe(down);
      expect(own(strategy(search), { legacy: true }).history[2]).toBe('F! index down');
    }
  });

  const clashes: readonly (readonly [string, Partial<Script>])[] = [
    ["the service's", { tools: [toolNamed('find')] }],
    ['a static provider', { toolProviders: [providing(toolNamed('find'))] }],
  ];
  it.each(clashes)('whose search tool has the name of a tool of %s is a configuration error', (_, script) => {
    const failed = own(found(), script);
    expect(failed.marbles).toBe('#');
    expect(failed.error).toBeInstanceOf(ConfigurationError);
    expect((failed.error as Error).message).toMatch(
      /two tools are named find, one of them of the toolSearchStrategy; rename one/,
    );
    expect(failed.firedTypes).toEqual(['started', 'error']);
  });

  it('whose search tool has the name of a tool of a dynamic provider: that tool is ignored', () => {
    const dynamic = { provideTools: () => [toolNamed('find'), toolNamed('other')], isDynamic: true };
    expect(own(found('mail'), { toolProviders: [dynamic] }).told[0]).toEqual(['find', 'help', 'other']);
  });

  it('whose search tools are none fails the invocation and says so', () => {
    const junk = (searchTools: unknown): ToolSearchStrategy => ({
      searchTools: () => searchTools as [],
      search: () => ({ names: [] }),
    });
    for (const [searchTools, message] of [
      [undefined, /what toolSearchStrategy\.searchTools returned is undefined.*array/],
      [[{ description: 'x' }], /searchTools returned, at \[0\]\.name, is undefined/],
      [[undefined], /searchTools returned, at \[0\]\.name, is undefined/],
    ] as const) {
      const failed = own(junk(searchTools));
      expect(failed.error).toBeInstanceOf(ConfigurationError);
      expect((failed.error as Error).message).toMatch(message);
      expect(failed.model.requests).toEqual([]);
    }
  });

  it('that fails to give its search tools is asked again when the invocation goes on', () => {
    let asked = 0;
    const flaky: ToolSearchStrategy = {
      searchTools: (context) => {
        if (++asked === 1) throw new Error('index down');
        return found().searchTools(context);
      },
      search: () => ({ names: ['mail'] }),
    };
    const played = own(flaky, { toolProviders: [providing(toolNamed('other'))], pipe: retry(1) });
    expect(played.marbles.endsWith('($|)')).toBe(true);
    expect(played.told[0]).toEqual(['find', 'help']);
  });

  it('has no say in a service without one: all tools are visible', () => {
    const played = play({ rounds: ['-t|'], tools });
    expect(told(played.model.requests[0]!)).toEqual(all.slice(1));
  });
});

describe('the strategies', () => {
  const asking = (query: string) => ({ S: { name: 'tool_search_tool', arguments: JSON.stringify({ query }) }, W: calls.W });
  /** As a text has to do with warmth, and with letters. */
  const vectorOf = (text: string) => [/warm|hot|temperature/.test(text) ? 1 : 0, /letter|mail/.test(text) ? 1 : 0, 0.01];

  it('by meaning find what is near, and ask for the vectors of the tools once', () => {
    const embedded: (readonly string[])[] = [];
    const toolSearchStrategy = vectorToolSearch({
      embeddingModel: {
        embed: (texts) => {
          embedded.push(texts);
          return texts.map(vectorOf);
        },
      },
      minScore: 0.5,
      maxResults: 1,
    });
    const first = searched({ rounds: ['S|', 'W|', 'z|'], script: { calls: asking('is it hot?') }, toolSearchStrategy });
    expect(first.told[1]).toEqual(['tool_search_tool', 'weather', 'help']);
    const second = searched({ rounds: ['S|', 'z|'], script: { calls: asking('write a letter') }, toolSearchStrategy });
    expect(second.told[1]).toEqual(['tool_search_tool', 'mail', 'help']);
    expect(embedded.map(({ length }) => length)).toEqual([1, 3, 1]);
  });

  it('by meaning take the time that the embedding model takes', () => {
    const toolSearchStrategy = vectorToolSearch({ embeddingModel: { embed: (texts) => of(texts.map(vectorOf)).pipe(delay(3)) } });
    const model = scriptedModel(['S|', 'z|'], { calls: asking('hot') });
    runMarbles(({ expectEvents }) => {
      expectEvents(aiService({ model, tools, toolSearchStrategy }).stream('hello')).toBe('(T<t)%-(>tz)($|)');
    });
  });

  it('by decision find what the decision model says helps', () => {
    const { decisionModel, requests } = judge({ weather: 0.9, time: 0.4, mail: 0.6 });
    const played = searched({
      rounds: ['S|', 'W|', 'z|'],
      script: { calls: asking('will it rain?') },
      toolSearchStrategy: decisionToolSearch({ decisionModel }),
    });
    expect(played.history[2]).toBe('S: Tools found: weather, mail');
    expect(played.told[1]).toEqual(['tool_search_tool', 'weather', 'mail', 'help']);
    expect(requests[0]!.input).toBe('will it rain?');
    expect(requests[0]!.questions.map(({ id }) => id)).toEqual(['weather', 'time', 'mail']);
  });

  it('by decision fail as a tool does when the decision model does', () => {
    const toolSearchStrategy = decisionToolSearch({ decisionModel: { decide: () => throwError(() => new Error('overloaded')) } });
    const script = { calls: asking('rain') };
    expect(searched({ rounds: ['S|'], script, toolSearchStrategy }).error).toEqual(new Error('overloaded'));
    const legacy = searched({ rounds: ['S|', 'z|'], script, toolSearchStrategy, legacy: true });
    expect(legacy.history[2]).toMatch(/^S! .*overloaded/);
  });
});
