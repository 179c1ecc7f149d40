import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../../src/chat/configuration-error.ts';
import { keywordScore, wordsOf } from '../../../src/tool/search/keyword-score.ts';
import { keywordToolSearch } from '../../../src/tool/search/keyword-tool-search.ts';
import { ToolArgumentsError } from '../../../src/tool/tool-errors.ts';
import { visibleMessage } from '../../../src/tool/visible-to-llm.ts';
import { errorContext } from '../call.ts';
import { searchFailure, searchRequest, searchToolOf, searched, spec } from './support.ts';

const weather = spec('weather', 'Weather forecast');
const clock = spec('clock', 'Current time');
const tools = [weather, clock, spec('get_forecast', 'Tells the weather of tomorrow')];

describe('[S140] the score of a tool', () => {
  it.each<[score: number, terms: readonly string[], why: string]>([
    [0, ['database'], 'is 0 for words that are nowhere'],
    [1, ['forecast'], 'is 1 for a word in the description'],
    [3, ['weather'], 'is 3 for a word in both'],
    [4, ['weather', 'forecast'], 'is summed over the words'],
    [3, ['weather', 'weather', 'WEATHER weather'], 'counts a word once, however often it is asked for'],
    [4, ['weaTher', 'FORECAST'], 'knows no upper and lower case'],
    [4, ['weather forecast'], 'splits a term of several words'],
    [4, ['  weather,\n forecast; '], 'splits at commas and line breaks too'],
    [3, ['eathe'], 'finds a part of a word'],
    [0, [], 'is 0 without words'],
    [0, ['', '  '], 'is 0 for blank terms'],
  ])('%d for %j: %s', (score, terms) => {
    expect(keywordScore(wordsOf(terms), weather)).toBe(score);
  });

  it('is 2 for a word in the name alone, with or without a description', () => {
    expect(keywordScore(wordsOf(['weather']), spec('get_weather', 'Returns forecast'))).toBe(2);
    expect(keywordScore(wordsOf(['weather']), spec('get_weather'))).toBe(2);
  });

  it.each([
    ['TITLE', 'title', 'title'],
    ['ΟΔΟΣ', 'οδοσαριθμος', 'οδος'],
    ['straße', 'STRASSE', 'Straße'],
    ['cafe\u0301', 'café', 'CAFÉ'],
  ])('is the same in every locale and spelling: %s', (term, ...names) => {
    for (const name of names) expect(keywordScore(wordsOf([term]), spec(name))).toBe(2);
  });

  const word = fc.stringMatching(/^[a-z_]{1,6}$/);
  const words = fc.array(word, { maxLength: 5 });
  const anyTool = fc.record({ name: word, description: fc.option(fc.string(), { nil: undefined }) });

  it('is from 0 to 3 for each word, and never less for more words', () => {
    fc.assert(
      fc.property(words, words, anyTool, (some, others, { name, description }) => {
        const scoreOf = (terms: readonly string[]) => keywordScore(wordsOf(terms), spec(name, description));
        expect(scoreOf(some)).toBeLessThanOrEqual(3 * new Set(some).size);
        expect(scoreOf([...some, ...others])).toBeGreaterThanOrEqual(scoreOf(some));
        expect(scoreOf([some.join(' ')])).toBe(scoreOf(some));
        expect(scoreOf([...some].reverse())).toBe(scoreOf(some));
      }),
    );
  });

  it('takes any text at all', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), fc.string({ unit: 'binary' }), (terms, text) => {
        expect(keywordScore(wordsOf(terms), spec(text, text)) % 3).toBe(0);
      }),
    );
  });
});

describe('a search by keywords', () => {
  it('[S140] finds the tools with the highest scores, the best first', () => {
    expect(searched(keywordToolSearch(), { terms: ['weather', 'forecast'] }, tools)).toEqual({
      names: ['weather', 'get_forecast'],
      text: 'Tools found: weather, get_forecast',
    });
  });

  it('[S140] tells the model when there is none', () => {
    const { names, text } = searched(keywordToolSearch(), { terms: ['database'] }, tools);
    expect(names).toEqual([]);
    expect(text).toMatch(/^No matching tools found/);
  });

  it('keeps the order of tools that score the same', () => {
    const same = ['c', 'a', 'b'].map((name) => spec(name, 'same'));
    expect(searched(keywordToolSearch(), { terms: ['same'] }, same).names).toEqual(['c', 'a', 'b']);
  });

  it('[S140] finds at most maxResults, 5 by default, and none below minScore', () => {
    const many = Array.from({ length: 9 }, (_, place) => spec(`tool_${place}`, place < 2 ? 'tool' : ''));
    expect(searched(keywordToolSearch(), { terms: ['tool'] }, many).names).toHaveLength(5);
    expect(searched(keywordToolSearch({ maxResults: 1 }), { terms: ['tool'] }, many).names).toEqual(['tool_0']);
    expect(searched(keywordToolSearch({ minScore: 3 }), { terms: ['tool'] }, many).names).toEqual(['tool_0', 'tool_1']);
    expect(searched(keywordToolSearch({ minScore: 0 }), { terms: ['other'] }, many).names).toHaveLength(5);
  });

  it('answers at once, without a stream', () => {
    expect(keywordToolSearch().search(searchRequest({ terms: ['clock'] }, tools))).toMatchObject({ names: ['clock'] });
  });

  it('mends what a tool would mend: a list in a string, a code fence', () => {
    expect(searched(keywordToolSearch(), { terms: '["clock"]' }, tools).names).toEqual(['clock']);
    expect(searched(keywordToolSearch(), '```json\n{"terms":["clock"]}\n```', tools).names).toEqual(['clock']);
  });

  it('shows the model one tool with a list of terms', () => {
    expect(searchToolOf(keywordToolSearch())).toMatchObject({
      name: 'tool_search_tool',
      parameters: { type: 'object', properties: { terms: { type: 'array', items: { type: 'string' } } }, required: ['terms'] },
    });
    const named = searchToolOf(keywordToolSearch({ toolName: 'find', description: 'Finds tools.' }));
    expect(named).toMatchObject({ name: 'find', description: 'Finds tools.' });
  });

  it('shows the same specifications every time, so that a model can keep what it made of them', () => {
    const strategy = keywordToolSearch();
    expect(searchToolOf(strategy)).toBe(searchToolOf(strategy));
  });
});

describe('[S140] arguments that can not be used', () => {
  const bad: readonly [what: string, args: unknown][] = [
    ['no terms', {}],
    ['null for terms', { terms: null }],
    ['a text for terms', { terms: 'weather' }],
    ['an object for terms', { terms: { 0: 'weather' } }],
    ['terms that are no texts', { terms: [1] }],
    ['no object', '[1]'],
    ['no JSON', '{"terms":'],
    ['nothing', ''],
  ];

  it.each(bad)('are an error that the model is told: %s', (_, args) => {
    const error = searchFailure(keywordToolSearch(), args, tools);
    expect(visibleMessage(error, errorContext(error))).toMatch(/tool_search_tool/);
    expect(error).not.toBeInstanceOf(ToolArgumentsError);
    expect(error.cause).toBeInstanceOf(ToolArgumentsError);
  });

  it.each(bad)('are an argument error with throwArgumentsError: %s', (_, args) => {
    const error = searchFailure(keywordToolSearch({ throwArgumentsError: true }), args, tools);
    expect(error).toBeInstanceOf(ToolArgumentsError);
    expect(visibleMessage(error, errorContext(error))).toBeUndefined();
  });
});

describe('keywordToolSearch', () => {
  it.each([
    [{ maxResults: 0 }, /maxResults is 0/],
    [{ maxResults: 1.5 }, /maxResults is 1.5/],
    [{ minScore: -1 }, /minScore is -1/],
    [{ toolName: ' ' }, /toolName is " "/],
    [{ description: '' }, /description is ""/],
    [{ throwArgumentsError: 'yes' }, /throwArgumentsError is "yes"/],
    [{ max: 3 }, /unknown option max/],
    [null, /object of options/],
  ])('refuses %j', (options, message) => {
    const make = () => keywordToolSearch(options as never);
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(message);
  });
});
