import fc from 'fast-check';
import { delay, of, throwError } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { ConfigurationError } from '../../../src/chat/configuration-error.ts';
import type { ChatMessage, UserMessage } from '../../../src/chat/message.ts';
import { fromValue } from '../../../src/chat/value.ts';
import { runMarbles } from '../../../src/testing/run-marbles.ts';
import { drawSpan, logged, type SubscriptionSpan } from '../../../src/testing/subscription-log.ts';
import { DecisionModelError } from '../../../src/tool/decision/decision-model-error.ts';
import {
  decisionModelFilteringToolProvider,
  type DecisionModelFilteringToolProviderOptions,
} from '../../../src/tool/decision/decision-model-filtering-tool-provider.ts';
import type { ToolProvider } from '../../../src/tool/tool-provider.ts';
import type { Tool } from '../../../src/tool/types.ts';
import { watch } from '../../chat/watch.ts';
import { answer, calling, result, system, unit, user } from '../../memory/histories.ts';
import { judge, providedNames, providerRequest, providing, toolNamed } from './support.ts';

const tools = ['a', 'b', 'c', 'd'].map((name) => toolNamed(name));
const probabilities = { a: 0.4, b: 0.6, c: 0.9, d: 0.5 };

/** A filter of these tools, and what its model was asked. */
function filter(options: Partial<DecisionModelFilteringToolProviderOptions> = {}, all: readonly Tool[] = tools) {
  const { decisionModel, requests } = judge(probabilities);
  const logger = { warn: vi.fn() };
  const provider = decisionModelFilteringToolProvider({ toolProvider: providing(...all), decisionModel, logger, ...options });
  const askedAbout = () => requests.flatMap(({ questions }) => questions.map(({ id }) => id));
  return { provider, requests, logger, askedAbout };
}

describe('the tools that pass', () => {
  it('[S144] are those that reach the minimum probability, 0.5 by default, the likeliest first', () => {
    expect(providedNames(filter().provider)).toEqual(['c', 'b', 'd']);
    expect(providedNames(filter({ minProbability: 0.7 }).provider)).toEqual(['c']);
    expect(providedNames(filter({ minProbability: 0 }).provider)).toEqual(['c', 'b', 'd', 'a']);
    expect(providedNames(filter({ minProbability: 1 }).provider)).toEqual([]);
  });

  it('are the tools themselves, with all that they can do', () => {
    const { values } = watch(fromValue(() => filter().provider.provideTools(providerRequest())));
    expect(values[0]![0]).toBe(tools[2]);
  });

  it('[S145] are without being asked about: those always visible, always included, and called before', () => {
    const all = [toolNamed('low'), toolNamed('v', 'alwaysVisible'), toolNamed('s', 'searchable'), ...tools];
    const { provider, askedAbout } = filter({ alwaysInclude: ['low', 'unknown'] }, all);
    const request = providerRequest([user('before'), ...unit('A'), answer('done')], user('now'));
    expect(providedNames(provider, request)).toEqual(['low', 'v', 'a', 'c', 'b', 'd']);
    expect(askedAbout()).toEqual(['s', 'b', 'c', 'd']);
  });

  it('[S145] are also those that were called in this invocation, however unlikely they are to help', () => {
    const asked = user('now');
    expect(providedNames(filter().provider, providerRequest([asked, calling('A'), result('A')], asked))).toEqual([
      'a',
      'c',
      'b',
      'd',
    ]);
  });

  it('[S152] are at most maxResults, and those that always pass besides', () => {
    const { provider } = filter({ maxResults: 1, alwaysInclude: ['a', 'd'] });
    expect(providedNames(provider)).toEqual(['a', 'd', 'c']);
    expect(providedNames(filter({ maxResults: 2 }).provider)).toEqual(['c', 'b']);
  });

  it('are not asked about when all of them pass anyway', () => {
    const { provider, requests } = filter({ alwaysInclude: ['d', 'c', 'b', 'a'] });
    expect(providedNames(provider)).toEqual(['a', 'b', 'c', 'd']);
    expect(requests).toEqual([]);
  });

  it('[S148] are all when the message of the user has no text, and the model is not asked', () => {
    const image = { type: 'image', url: 'https://example.org/a.png' } as const;
    const textless: readonly UserMessage[] = [{ role: 'user', contents: [image] }, { role: 'user', contents: [] }, user(' \n')];
    for (const message of textless) {
      const { provider, requests } = filter();
      expect(providedNames(provider, providerRequest([user('before'), answer('ok')], user('made of it'), message))).toEqual([
        'a',
        'b',
        'c',
        'd',
      ]);
      expect(requests).toEqual([]);
    }
    const { provider, requests } = filter();
    expect(
      providedNames(provider, providerRequest([], { role: 'user', contents: [image, { type: 'text', text: 'What is it?' }] })),
    ).toHaveLength(3);
    expect(requests[0]!.input).toBe('user: [image]\n  What is it?');
  });

  it('never are more than maxResults and the protected ones, nor fewer than the protected ones', () => {
    const anyTool = fc.record({
      probability: fc.integer({ min: 0, max: 4 }).map((quarters) => quarters / 4),
      isVisible: fc.boolean(),
      isIncluded: fc.boolean(),
      isCalled: fc.boolean(),
    });
    const limits = fc.record({
      maxResults: fc.integer({ min: 1, max: 5 }),
      maxToolsPerDecisionRequest: fc.integer({ min: 1, max: 5 }),
    });
    fc.assert(
      fc.property(fc.array(anyTool, { maxLength: 10 }), limits, (kinds, options) => {
        const nameOf = (place: number) => `t${place}`;
        const named = kinds.map((kind, place) => ({ ...kind, name: nameOf(place) }));
        const { decisionModel, requests } = judge(Object.fromEntries(named.map(({ name, probability }) => [name, probability])));
        const provider = decisionModelFilteringToolProvider({
          toolProvider: providing(
            ...named.map(({ name, isVisible }) => toolNamed(name, isVisible ? 'alwaysVisible' : undefined)),
          ),
          decisionModel,
          alwaysInclude: named.filter(({ isIncluded }) => isIncluded).map(({ name }) => name),
          ...options,
        });
        const calls = named.filter(({ isCalled }) => isCalled).map(({ name }) => calling(name.toUpperCase()));
        const names = providedNames(provider, providerRequest(calls));
        const isProtected = ({ isVisible, isIncluded, isCalled }: (typeof named)[number]) => isVisible || isIncluded || isCalled;
        const safe = named.filter(isProtected).map(({ name }) => name);
        const rest = named.filter((kind) => !isProtected(kind));
        const likely = rest.filter(({ probability }) => probability >= 0.5);
        expect(names.slice(0, safe.length)).toEqual(safe);
        const chosen = names.slice(safe.length).map((name) => rest.find((kind) => kind.name === name)!.probability);
        expect(chosen).toEqual(
          likely
            .map(({ probability }) => probability)
            .sort((one, other) => other - one)
            .slice(0, options.maxResults),
        );
        expect(new Set(names).size).toBe(names.length);
        expect(requests.flatMap(({ questions }) => questions.map(({ id }) => id))).toEqual(rest.map(({ name }) => name));
      }),
    );
  });
});

describe('what the decision model is told', () => {
  it('[S150] is the message of the user before anything was added to it', () => {
    const augmented = user('Book it. Context: a text about the weather');
    const { provider, requests } = filter();
    providedNames(provider, providerRequest([system('You help.')], augmented, user('Book it.')));
    expect(requests[0]!.input).toBe('system: You help.\nuser: Book it.');
  });

  it('[S151] is the system messages and the last 10 messages, the long ones shortened, in every batch', () => {
    const earlier = Array.from({ length: 12 }, (_, place): ChatMessage =>
      place % 2 ? answer(`answer ${place}`) : user(`question ${place}`),
    );
    const { provider, requests } = filter({ maxToolsPerDecisionRequest: 3 });
    providedNames(provider, providerRequest([system('You help.'), ...earlier], user('x'.repeat(1200))));
    expect(requests.map(({ questions }) => questions.length)).toEqual([3, 1]);
    expect(requests[1]!.input).toBe(requests[0]!.input);
    const lines = requests[0]!.input.split('\n');
    expect(lines).toHaveLength(11);
    expect(lines[0]).toBe('system: You help.');
    expect(lines[1]).toBe('assistant: answer 3');
    expect(lines[10]).toMatch(/^user: x{500} \[… 200 characters left out …\] x{500}$/);
  });

  it('[S151] can be set by maxMessages, messageFilter and maxMessageLength', () => {
    const { provider, requests } = filter({
      maxMessages: 2,
      maxMessageLength: 4,
      messageFilter: ({ role }) => role !== 'assistant',
    });
    providedNames(provider, providerRequest([system('s'), user('older'), user('old'), answer('ok')], user('newest')));
    expect(requests[0]!.input).toBe('system: s\nuser: old\nuser: ne [… 2 characters left out …] st');
  });

  it('is a question in your own words', () => {
    const { provider, requests } = filter({ questionTemplate: 'Does {{toolName}} help?' });
    providedNames(provider);
    expect(requests[0]!.questions[0]).toEqual({ id: 'a', text: 'Does a help?' });
  });
});

describe('[S147] when the decision model fails', () => {
  const cause = new Error('no quota');
  const failing = {
    decide: () => {
      throw cause;
    },
  };
  const protectedToo = [toolNamed('v', 'alwaysVisible'), ...tools];

  it('all tools pass, in the order of the provider, with a warning', () => {
    const { provider, logger } = filter({ decisionModel: failing, alwaysInclude: ['c'], maxResults: 1 }, protectedToo);
    expect(providedNames(provider)).toEqual(['v', 'a', 'b', 'c', 'd']);
    expect(logger.warn.mock.calls).toEqual([
      ['decisionModelFilteringToolProvider: the decision model failed (no quota); all tools are passed on.', cause],
    ]);
  });

  it('with noTools only those that always pass do, with a warning', () => {
    const options = { decisionModel: failing, alwaysInclude: ['c'], fallbackStrategy: 'noTools' } as const;
    const { provider, logger } = filter(options, protectedToo);
    expect(providedNames(provider, providerRequest(unit('A')))).toEqual(['v', 'a', 'c']);
    expect(logger.warn).toHaveBeenCalledOnce();
    expect(logger.warn.mock.calls[0]![0]).toMatch(/only the tools that always pass/);
  });

  it('with fail the provider fails with the error of the model', () => {
    const { provider, logger } = filter({ decisionModel: failing, fallbackStrategy: 'fail' });
    expect(watch(fromValue(() => provider.provideTools(providerRequest()))).error).toBe(cause);
    expect(logger.warn).not.toHaveBeenCalled();
  });

  it('the console is told where there is no logger, and a logger that throws changes nothing', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const provider = decisionModelFilteringToolProvider({ toolProvider: providing(...tools), decisionModel: failing });
    expect(providedNames(provider)).toHaveLength(4);
    expect(warn).toHaveBeenCalledOnce();
    warn.mockRestore();
    const logger = {
      warn: () => {
        throw new Error('disk full');
      },
    };
    expect(providedNames(filter({ decisionModel: failing, logger }).provider)).toHaveLength(4);
  });

  it('one failing batch is the failure of the whole', () => {
    let batch = 0;
    const { decisionModel } = judge(probabilities, (answers) => (++batch === 2 ? throwError(() => cause) : answers));
    const { provider, logger } = filter({ decisionModel, maxToolsPerDecisionRequest: 1 });
    expect(providedNames(provider)).toEqual(['a', 'b', 'c', 'd']);
    expect(logger.warn).toHaveBeenCalledOnce();
  });

  it.each<[what: string, decide: () => unknown]>([
    ['a promise that is rejected', () => Promise.reject(cause)],
    ['no answers', () => Promise.resolve(undefined)],
    ['answers to something else', () => Promise.resolve([{ id: 'z', probability: 1 }])],
    ['a probability out of range', () => Promise.resolve(['a', 'b', 'c', 'd'].map((id) => ({ id, probability: 7 })))],
  ])('so it has with %s', async (_, decide) => {
    const { provider, logger } = filter({ decisionModel: { decide } as never });
    const names = await new Promise((resolve, reject) =>
      fromValue(() => provider.provideTools(providerRequest())).subscribe({ next: resolve, error: reject }),
    );
    expect(names).toHaveLength(4);
    expect(logger.warn).toHaveBeenCalledOnce();
    const [, error] = logger.warn.mock.calls[0] as [string, unknown];
    expect(error === cause || error instanceof DecisionModelError).toBe(true);
  });

  it('a messageFilter that throws is no failure of the model', () => {
    const { provider, logger } = filter({
      messageFilter: () => {
        throw cause;
      },
    });
    expect(watch(fromValue(() => provider.provideTools(providerRequest([user('before')])))).error).toBe(cause);
    expect(logger.warn).not.toHaveBeenCalled();
  });
});

describe('the wrapped provider', () => {
  it('[S149] makes the filter dynamic if it is, and is asked anew each time', () => {
    let asked = 0;
    const growing: ToolProvider = { isDynamic: true, provideTools: () => tools.slice(0, ++asked + 1) };
    const { provider, requests } = filter({ toolProvider: growing });
    expect(provider.isDynamic).toBe(true);
    expect(providedNames(provider)).toEqual(['b']);
    const hello = user('hello');
    expect(providedNames(provider, providerRequest([hello, ...unit('Z')], hello))).toEqual(['c', 'b']);
    expect(requests[1]!.input).toBe('user: hello\nassistant: calls z with {}\ntool: z: r');
    expect(filter().provider.isDynamic).toBe(false);
  });

  it('[S146] is all that is filtered: nothing but its tools is asked about', () => {
    const { provider, askedAbout } = filter();
    providedNames(provider);
    expect(askedAbout()).toEqual(['a', 'b', 'c', 'd']);
  });

  it.each([null, undefined])('may have no tools: %s', (none) => {
    const { provider, requests } = filter({ toolProvider: { provideTools: () => none } });
    expect(watch(fromValue(() => provider.provideTools(providerRequest())))).toMatchObject({ values: [none], end: 'complete' });
    expect(requests).toEqual([]);
    expect(providedNames(filter({}, []).provider)).toEqual([]);
  });

  it('fails the filter when it fails: that is no failure of the decision model', () => {
    const failure = new Error('server down');
    for (const provideTools of [
      () => throwError(() => failure),
      () => {
        throw failure;
      },
    ]) {
      const { provider, requests, logger } = filter({ toolProvider: { provideTools } });
      expect(watch(fromValue(() => provider.provideTools(providerRequest()))).error).toBe(failure);
      expect(requests).toEqual([]);
      expect(logger.warn).not.toHaveBeenCalled();
    }
  });

  it('may return what is no tool; the service is the one to say so', () => {
    for (const junk of ['tools', [null], [{}], [...tools, 42]]) {
      const { provider } = filter({ toolProvider: { provideTools: () => junk as never } });
      expect(watch(fromValue(() => provider.provideTools(providerRequest()))).values).toEqual([junk]);
    }
  });

  it('comes first, then the decision, and both end when the filter is given up', () => {
    const spans: SubscriptionSpan[] = [];
    const make = () => {
      const { decisionModel } = judge(probabilities, (answers) => logged(of(answers).pipe(delay(3)), spans));
      const toolProvider: ToolProvider = { provideTools: () => logged(of(tools).pipe(delay(2)), spans) };
      const { provider } = filter({ toolProvider, decisionModel });
      return fromValue(() => provider.provideTools(providerRequest()));
    };
    const names = (provided: readonly Tool[] | null | undefined) =>
      provided!.map(({ specification }) => specification.name).join('');
    runMarbles(({ record }) => {
      record(make(), names).toBe('-----(cbd|)');
      record(make(), names, '^---!').toBe('');
      record(make(), names, '^!').toBe('');
    });
    expect(spans.map(drawSpan).sort()).toEqual(['--^-!', '--^--!', '^!', '^-!', '^-!']);
  });

  it('is not asked before the answer is wanted', () => {
    const provideTools = vi.fn(() => tools);
    filter({ toolProvider: { provideTools } }).provider.provideTools(providerRequest());
    expect(provideTools).not.toHaveBeenCalled();
  });
});

describe('decisionModelFilteringToolProvider', () => {
  it.each<[options: object, message: RegExp]>([
    [{ toolProvider: undefined }, /toolProvider is undefined/],
    [{ toolProvider: () => tools }, /toolProvider is a function; it must be an object with the method provideTools/],
    [{ decisionModel: undefined }, /decisionModel is undefined/],
    [
      { decisionModel: { chat: () => of(), apiKey: 'sk-secret' } },
      /decisionModel is an object with chat, apiKey; it must have the method decide/,
    ],
    [{ minProbability: -0.1 }, /minProbability is -0.1/],
    [{ maxResults: 0 }, /maxResults is 0/],
    [{ maxMessages: 0 }, /maxMessages is 0/],
    [{ maxMessageLength: 0 }, /maxMessageLength is 0/],
    [{ messageFilter: 'user' }, /messageFilter is "user"/],
    [{ maxToolsPerDecisionRequest: 0.5 }, /maxToolsPerDecisionRequest is 0.5/],
    [{ alwaysInclude: 'a' }, /alwaysInclude is "a"; it must be an array/],
    [{ alwaysInclude: [1] }, /alwaysInclude is \[1\]/],
    [{ questionTemplate: 'Is it good?' }, /questionTemplate is/],
    [{ fallbackStrategy: 'ALL_TOOLS' }, /fallbackStrategy is "ALL_TOOLS"; it must be one of allTools, noTools, fail/],
    [{ logger: {} }, /logger is/],
    [{ maxTools: 3 }, /unknown option maxTools/],
  ])('refuses %o', (options, message) => {
    const make = () => filter(options);
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(message);
    expect(make).not.toThrow(/sk-secret/);
  });
});
