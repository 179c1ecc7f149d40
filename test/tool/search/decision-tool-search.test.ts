import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../../src/chat/configuration-error.ts';
import { decisionToolSearch } from '../../../src/tool/search/decision-tool-search.ts';
import { ToolArgumentsError, ToolExecutionError } from '../../../src/tool/tool-errors.ts';
import { visibleMessage } from '../../../src/tool/visible-to-llm.ts';
import { errorContext } from '../call.ts';
import { judge } from '../decision/support.ts';
import { searchFailure, searchToolOf, searched, spec } from './support.ts';

const tools = [spec('send_mail', 'Sends a mail'), spec('get_weather'), spec('book_flight', 'Books a seat')];

describe('a search by decisions', () => {
  it('asks about each tool with what the model looks for, and finds those that help, the likeliest first', () => {
    const { decisionModel, requests } = judge({ send_mail: 0.5, get_weather: 0.49, book_flight: 0.9 });
    expect(searched(decisionToolSearch({ decisionModel }), { query: 'go to Oslo' }, tools)).toEqual({
      names: ['book_flight', 'send_mail'],
      text: 'Tools found: book_flight, send_mail',
    });
    expect(requests).toHaveLength(1);
    expect(requests[0]!.input).toBe('go to Oslo');
    expect(requests[0]!.questions.map(({ text }) => text)).toEqual([
      expect.stringMatching(/send_mail[^]*Sends a mail/),
      expect.stringMatching(/get_weather/),
      expect.stringMatching(/book_flight[^]*Books a seat/),
    ]);
  });

  it('finds at most maxResults, 5 by default, and only what reaches minProbability', () => {
    const many = Array.from({ length: 9 }, (_, place) => spec(`t${place}`));
    const { decisionModel } = judge(Object.fromEntries(many.map(({ name }, place) => [name, 0.1 + place / 10])));
    expect(searched(decisionToolSearch({ decisionModel }), { query: 'q' }, many).names).toEqual(['t8', 't7', 't6', 't5', 't4']);
    expect(searched(decisionToolSearch({ decisionModel, maxResults: 2 }), { query: 'q' }, many).names).toEqual(['t8', 't7']);
    expect(searched(decisionToolSearch({ decisionModel, minProbability: 0.85 }), { query: 'q' }, many).names).toEqual(['t8']);
    expect(searched(decisionToolSearch({ decisionModel, minProbability: 1 }), { query: 'q' }, many)).toMatchObject({ names: [] });
  });

  it('asks about maxToolsPerDecisionRequest tools at a time, in your own words', () => {
    const { decisionModel, requests } = judge({ send_mail: 1, get_weather: 1, book_flight: 1 });
    const strategy = decisionToolSearch({
      decisionModel,
      maxToolsPerDecisionRequest: 2,
      questionTemplate: 'Is {{toolName}} good?',
    });
    expect(searched(strategy, { query: 'q' }, tools).names).toEqual(['send_mail', 'get_weather', 'book_flight']);
    expect(requests.map(({ questions }) => questions.map(({ text }) => text))).toEqual([
      ['Is send_mail good?', 'Is get_weather good?'],
      ['Is book_flight good?'],
    ]);
  });

  it('does not ask the model when there is nothing to find', () => {
    const { decisionModel, requests } = judge({});
    expect(searched(decisionToolSearch({ decisionModel }), { query: 'q' }, []).names).toEqual([]);
    expect(requests).toEqual([]);
  });

  it('fails as a tool when the model fails, with the error of the model as the cause', () => {
    const cause = new Error('no quota');
    const decisionModel = {
      decide: () => {
        throw cause;
      },
    };
    const error = searchFailure(decisionToolSearch({ decisionModel }), { query: 'q' }, tools);
    expect(error).toBeInstanceOf(ToolExecutionError);
    expect(error).toMatchObject({ message: 'The decision model failed: no quota', cause });
    expect(visibleMessage(error, errorContext(error))).toBeUndefined();
  });

  it('tells the model of arguments that it can not use', () => {
    const { decisionModel, requests } = judge({});
    const error = searchFailure(decisionToolSearch({ decisionModel }), {}, tools);
    expect(visibleMessage(error, errorContext(error))).toMatch(/query/);
    const strict = decisionToolSearch({ decisionModel, throwArgumentsError: true, toolName: 'find' });
    expect(searchFailure(strict, { query: '' }, tools)).toBeInstanceOf(ToolArgumentsError);
    expect(searchToolOf(strict).name).toBe('find');
    expect(requests).toEqual([]);
  });

  it.each([
    [{}, /decisionModel is undefined; it must have the method decide/],
    [{ questionTemplate: 'Is it good?' }, /questionTemplate is "Is it good\?"/],
    [{ minProbability: 1.1 }, /minProbability is 1.1/],
    [{ maxResults: 0 }, /maxResults is 0/],
    [{ maxToolsPerDecisionRequest: 0 }, /maxToolsPerDecisionRequest is 0/],
    [{ maxMessages: 3 }, /unknown option maxMessages/],
  ])('refuses %j', (options, message) => {
    const { decisionModel } = judge({});
    const make = () => decisionToolSearch((Object.keys(options).length > 0 ? { decisionModel, ...options } : options) as never);
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(message);
  });
});
