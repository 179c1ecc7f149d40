import fc from 'fast-check';
import { delay, of, throwError, timer, map } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../../src/chat/configuration-error.ts';
import { fromValue, type Value } from '../../../src/chat/value.ts';
import { runMarbles } from '../../../src/testing/run-marbles.ts';
import { drawSpan, logged, type SubscriptionSpan } from '../../../src/testing/subscription-log.ts';
import type { EmbeddingModel } from '../../../src/tool/search/embedding-model.ts';
import { vectorToolSearch } from '../../../src/tool/search/vector-tool-search.ts';
import { ToolArgumentsError, ToolExecutionError } from '../../../src/tool/tool-errors.ts';
import { visibleMessage } from '../../../src/tool/visible-to-llm.ts';
import { errorContext } from '../call.ts';
import { searchFailure, searchRequest, searchToolOf, searched, searchedLater, spec } from './support.ts';

type Vectors = readonly ArrayLike<number>[];

/** Vectors by how often the letters a, b and c are in a text; tells what it was asked. */
function letters(answer: (vectors: Vectors) => Value<Vectors> = (vectors) => vectors) {
  const asked: (readonly string[])[] = [];
  const embeddingModel: EmbeddingModel = {
    embed: (texts) => {
      asked.push([...texts]);
      return answer(texts.map((text) => ['a', 'b', 'c'].map((letter) => text.split(letter).length - 1)));
    },
  };
  return { asked, embeddingModel };
}

const tools = [spec('aab'), spec('b', 'bb'), spec('c')];

describe('a search by vectors', () => {
  it('finds the tools whose vectors point where that of the query does, the nearest first', () => {
    const { embeddingModel } = letters();
    expect(searched(vectorToolSearch({ embeddingModel }), { query: 'ab' }, tools)).toEqual({
      names: ['aab', 'b', 'c'],
      text: 'Tools found: aab, b, c',
    });
    expect(searched(vectorToolSearch({ embeddingModel, minScore: 0.5 }), { query: 'b' }, tools).names).toEqual(['b']);
    expect(searched(vectorToolSearch({ embeddingModel, maxResults: 1 }), { query: 'c' }, tools).names).toEqual(['c']);
  });

  it('looks at names and descriptions', () => {
    const { embeddingModel, asked } = letters();
    searched(vectorToolSearch({ embeddingModel }), { query: 'x' }, tools);
    expect(asked).toEqual([['x'], ['aab', 'b: bb', 'c']]);
  });

  it('leaves out what points the other way, unless minScore says otherwise', () => {
    const embeddingModel: EmbeddingModel = { embed: (texts) => texts.map((text) => [text === 'q' || text === 'same' ? 1 : -1]) };
    const both = [spec('opposite'), spec('same')];
    expect(searched(vectorToolSearch({ embeddingModel }), { query: 'q' }, both).names).toEqual(['same']);
    expect(searched(vectorToolSearch({ embeddingModel, minScore: -1 }), { query: 'q' }, both).names).toEqual([
      'same',
      'opposite',
    ]);
  });

  it('finds at most 5 by default', () => {
    const { embeddingModel } = letters();
    const many = Array.from({ length: 9 }, (_, place) => spec(`a${place}`));
    expect(searched(vectorToolSearch({ embeddingModel }), { query: 'a' }, many).names).toEqual(['a0', 'a1', 'a2', 'a3', 'a4']);
  });

  it('does not ask the model when there is nothing to find', () => {
    const { embeddingModel, asked } = letters();
    expect(searched(vectorToolSearch({ embeddingModel }), { query: 'a' }, []).names).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('takes a value, a promise or an Observable of typed arrays from the model', async () => {
    const typed = (vectors: Vectors) => vectors.map((vector) => Float32Array.from(vector));
    for (const answer of [
      typed,
      (vectors: Vectors) => Promise.resolve(typed(vectors)),
      (vectors: Vectors) => of(typed(vectors)),
    ]) {
      const strategy = vectorToolSearch({ embeddingModel: letters(answer).embeddingModel, maxResults: 1 });
      expect(await searchedLater(strategy, { query: 'c' }, tools)).toMatchObject({ names: ['c'] });
    }
  });

  it('ranks tools by the cosines of their vectors, whatever these are', () => {
    const cosine = (one: readonly number[], other: readonly number[]) => {
      const product = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, place) => sum + value * b[place]!, 0);
      return product(one, other) / (Math.sqrt(product(one, one) * product(other, other)) || 1);
    };
    const vectors = fc.integer({ min: 1, max: 6 }).chain((length) => {
      const vector = fc.array(fc.integer({ min: -99, max: 99 }), { minLength: length, maxLength: length });
      return fc.array(vector, { minLength: 2, maxLength: 9 });
    });
    fc.assert(
      fc.property(vectors, fc.double({ min: -1, max: 1, noNaN: true }), ([query, ...offered], minScore) => {
        const embeddingModel: EmbeddingModel = {
          embed: (texts) => texts.map((text) => (text === 'query' ? query! : offered[Number(text)]!)),
        };
        const specs = [...offered.keys()].map((place) => spec(String(place)));
        const strategy = vectorToolSearch({ embeddingModel, minScore, maxResults: 99 });
        const cosines = searched(strategy, { query: 'query' }, specs).names.map((name) => cosine(query!, offered[Number(name)]!));
        const enough = (least: number) => offered.filter((vector) => cosine(query!, vector) >= least).length;
        expect(cosines.length).toBeGreaterThanOrEqual(enough(minScore + 1e-9));
        expect(cosines.length).toBeLessThanOrEqual(enough(minScore - 1e-9));
        for (const [place, value] of cosines.entries()) expect(value).toBeLessThanOrEqual((cosines[place - 1] ?? 1) + 1e-9);
      }),
    );
  });

  it('knows a direction by vectors of any length and size', () => {
    const vector = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(vector, (numbers) => {
        fc.pre(numbers.some((number) => number !== 0));
        const embeddingModel: EmbeddingModel = {
          embed: (texts) => texts.map((text) => (text === 'opposite' ? numbers.map((number) => -number) : numbers)),
        };
        const both = [spec('opposite'), spec('same')];
        const namesFrom = (minScore: number) =>
          searched(vectorToolSearch({ embeddingModel, minScore }), { query: 'q' }, both).names;
        expect(namesFrom(0.999999)).toEqual(['same']);
        expect(namesFrom(-0.999999)).toEqual(['same']);
        expect(namesFrom(-1)).toEqual(['same', 'opposite']);
      }),
    );
  });

  it('shows the model one tool with a query', () => {
    expect(searchToolOf(vectorToolSearch({ embeddingModel: letters().embeddingModel }))).toMatchObject({
      name: 'tool_search_tool',
      parameters: { properties: { query: { type: 'string' } }, required: ['query'] },
    });
  });

  it.each([{}, { query: ' ' }, { query: ['a'] }, 'a'])('tells the model of arguments that it can not use: %j', (args) => {
    const { embeddingModel, asked } = letters();
    const error = searchFailure(vectorToolSearch({ embeddingModel }), args, tools);
    expect(visibleMessage(error, errorContext(error))).toMatch(/query|JSON/);
    expect(searchFailure(vectorToolSearch({ embeddingModel, throwArgumentsError: true }), args, tools)).toBeInstanceOf(
      ToolArgumentsError,
    );
    expect(asked).toEqual([]);
  });
});

describe('[S141] the vectors of tools', () => {
  it('are kept for later searches, that of the query is not', () => {
    const { embeddingModel, asked } = letters();
    const strategy = vectorToolSearch({ embeddingModel });
    for (const query of ['a', 'a', 'b']) searched(strategy, { query }, tools);
    expect(asked).toEqual([['a'], ['aab', 'b: bb', 'c'], ['a'], ['b']]);
  });

  it('are asked for again when a tool has another description, and only for that tool', () => {
    const { embeddingModel, asked } = letters();
    const strategy = vectorToolSearch({ embeddingModel });
    searched(strategy, { query: 'a' }, tools);
    const found = searched(strategy, { query: 'a' }, [...tools.slice(0, 2), spec('c', 'aaaa')]);
    expect(asked.slice(2)).toEqual([['a'], ['c: aaaa']]);
    expect(found.names[0]).toBe('c');
  });

  it('are forgotten by clearCache', () => {
    const { embeddingModel, asked } = letters();
    const strategy = vectorToolSearch({ embeddingModel });
    searched(strategy, { query: 'a' }, tools);
    strategy.clearCache();
    searched(strategy, { query: 'a' }, tools);
    expect(asked.filter((texts) => texts.includes('c'))).toHaveLength(2);
  });

  it('are kept for cacheSize tools, those that were needed last', () => {
    const { embeddingModel, asked } = letters();
    const strategy = vectorToolSearch({ embeddingModel, cacheSize: 2 });
    for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) searched(strategy, { query: 'q' }, [spec(name)]);
    expect(asked.filter(([text]) => text !== 'q')).toEqual([['a'], ['b'], ['c'], ['b']]);
  });

  it('are right where there are more tools than places, or none', () => {
    for (const cacheSize of [0, 1]) {
      const { embeddingModel } = letters();
      const strategy = vectorToolSearch({ embeddingModel, cacheSize, minScore: 0.5 });
      for (const query of ['a', 'b', 'c', 'c']) {
        const found = searched(
          strategy,
          { query },
          ['a', 'b', 'c'].map((name) => spec(name)),
        );
        expect(found.names).toEqual([query]);
      }
    }
  });

  it('are not kept when the model failed', () => {
    let fails = true;
    const { embeddingModel, asked } = letters((vectors) => {
      if (fails && vectors.length > 1) throw new Error('overloaded');
      return vectors;
    });
    const strategy = vectorToolSearch({ embeddingModel });
    searchFailure(strategy, { query: 'a' }, tools);
    fails = false;
    expect(searched(strategy, { query: 'c' }, tools).names[0]).toBe('c');
    expect(asked.filter((texts) => texts.includes('c') && texts.length > 1)).toHaveLength(2);
  });
});

describe('searches at the same time', () => {
  /** A model that takes 3 frames, and a search with it, drawn by its first name. */
  function slow() {
    const spans: SubscriptionSpan[] = [];
    const fake = letters((vectors) => logged(of(vectors).pipe(delay(3)), spans));
    const strategy = vectorToolSearch({ embeddingModel: fake.embeddingModel });
    const search = (query: string, offered = tools) => fromValue(() => strategy.search(searchRequest({ query }, offered)));
    return { ...fake, strategy, search, spans };
  }
  const first = ({ names }: { readonly names: readonly string[] }) => names[0]!.charAt(0);

  it('ask for a tool once', () => {
    const { search, asked } = slow();
    runMarbles(({ record }) => {
      record(search('c'), first).toBe('         ---(c|)');
      record(search('b'), first, '-^').toBe('  ----(b|)');
      record(search('a', [...tools, spec('aaa')]), first, '--^').toBe('-----(a|)');
      record(search('c'), first, '      ------^').toBe('---------(c|)');
    });
    expect(asked).toEqual([['c'], ['aab', 'b: bb', 'c'], ['b'], ['a'], ['aaa'], ['c']]);
  });

  it('stop the request for the tools when the last of them is given up', () => {
    const { search, spans } = slow();
    runMarbles(({ record }) => {
      record(search('c'), first, '^!').toBe('');
      record(search('c'), first, '-^-!').toBe('');
    });
    expect(spans.map(drawSpan)).toEqual(['^!', '^--!', '-^-!']);
  });

  it('go on when one of them is given up', () => {
    const { search, asked } = slow();
    runMarbles(({ record }) => {
      record(search('c'), first, '^!').toBe('');
      record(search('c'), first, '-^').toBe('----(c|)');
      record(search('b'), first, '-----^').toBe('--------(b|)');
    });
    expect(asked).toEqual([['c'], ['aab', 'b: bb', 'c'], ['c'], ['b']]);
  });

  it('begin anew after a search that was given up before it had its vectors', () => {
    const { search, asked } = slow();
    runMarbles(({ record }) => {
      record(search('c'), first, '^-!').toBe('');
      record(search('c'), first, '---^').toBe('------(c|)');
    });
    expect(asked).toEqual([['c'], ['aab', 'b: bb', 'c'], ['c'], ['aab', 'b: bb', 'c']]);
  });

  it('keep nothing that was under way when the cache was cleared', () => {
    const { search, asked, strategy } = slow();
    runMarbles(({ record, at }) => {
      record(search('c'), first).toBe('---(c|)');
      at(1, () => strategy.clearCache());
      record(search('c'), first, '----^').toBe('-------(c|)');
    });
    expect(asked.filter((texts) => texts.length > 1)).toHaveLength(2);
  });

  it('fail together when the request that they share fails', () => {
    let requests = 0;
    const embeddingModel: EmbeddingModel = {
      embed: (texts) => {
        requests++;
        return timer(3).pipe(
          map(() => {
            if (texts.length > 1) throw new Error('overloaded');
            return texts.map(() => [1]);
          }),
        );
      },
    };
    const strategy = vectorToolSearch({ embeddingModel });
    const search = () => fromValue(() => strategy.search(searchRequest({ query: 'c' }, tools)));
    runMarbles(({ record }) => {
      record(search(), first).toBe('---#');
      record(search(), first, '-^').toBe('---#');
    });
    expect(requests).toBe(3);
  });

  it('begin nothing before they are subscribed to', () => {
    const { strategy, asked } = slow();
    strategy.search(searchRequest({ query: 'c' }, tools));
    expect(asked).toEqual([]);
  });
});

describe('an embedding model that fails', () => {
  const failing = (embed: (texts: readonly string[]) => unknown) =>
    searchFailure(vectorToolSearch({ embeddingModel: { embed } as EmbeddingModel }), { query: 'q' }, tools);

  it('is the error of the tool, with its own error as the cause', () => {
    const cause = new Error('no quota');
    const thrown = failing(() => {
      throw cause;
    });
    for (const error of [thrown, failing(() => throwError(() => cause))]) {
      expect(error).toBeInstanceOf(ToolExecutionError);
      expect(error.message).toBe('The embedding model failed: no quota');
      expect(error.cause).toBe(cause);
      expect(visibleMessage(error, errorContext(error))).toBeUndefined();
    }
  });

  it.each<[what: string, embed: (texts: readonly string[]) => unknown, message: RegExp]>([
    ['nothing', () => undefined, /returned undefined for 1 texts/],
    ['one vector for all', () => [[1]], /returned 1 vectors for 3 texts/],
    ['a vector instead of vectors', (texts) => texts.map(() => 1), /no vector of numbers/],
    ['null', (texts) => texts.map(() => null), /no vector of numbers/],
    ['empty vectors', (texts) => texts.map(() => []), /no vector of numbers/],
    ['NaN', (texts) => texts.map(() => [1, Number.NaN]), /vector with NaN at 1/],
    ['Infinity', (texts) => texts.map(() => [Infinity]), /vector with Infinity at 0/],
    ['texts', (texts) => texts.map(() => ['1']), /vector with 1 at 0 instead of a number/],
    ['vectors of several lengths', (texts) => texts.map((text) => (text === 'q' ? [1] : [1, 2])), /of 1 and of 2 numbers/],
  ])('gets a clear error: it returns %s', (_, embed, message) => {
    const error = failing(embed);
    expect(error).toBeInstanceOf(ToolExecutionError);
    expect(error.message).toMatch(message);
  });

  it('finds tools by a vector of zeros no better than any other', () => {
    const embeddingModel = { embed: (texts: readonly string[]) => texts.map(() => [0, 0]) };
    expect(searched(vectorToolSearch({ embeddingModel, minScore: 0.01 }), { query: 'q' }, tools).names).toEqual([]);
  });
});

describe('vectorToolSearch', () => {
  const { embeddingModel } = letters();

  it.each([
    [{}, /embeddingModel is undefined/],
    [
      { embeddingModel: { apiKey: 'sk-secret' } },
      /embeddingModel is an object with apiKey; it must be an object with the method embed/,
    ],
    [{ embeddingModel, minScore: 2 }, /minScore is 2/],
    [{ embeddingModel, minScore: Number.NaN }, /minScore is NaN/],
    [{ embeddingModel, cacheSize: -1 }, /cacheSize is -1/],
    [{ embeddingModel, maxResults: 0 }, /maxResults is 0/],
    [{ embeddingModel, model: 1 }, /unknown option model/],
  ])('refuses %j', (options, message) => {
    const make = () => vectorToolSearch(options as never);
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(message);
    expect(make).not.toThrow(/sk-secret/);
  });
});
